// Made by scripts/client-types.ts out of the OpenAPI document. Do not edit.

export type ErrorReply = {
  'api-info': {
    version: "1"
  }
  errors: Array<{
    errorCode: 'missing-field' | 'invalid-field' | 'invalid-json' | 'duplicate-reference' | 'missing-key' | 'invalid-key' | 'login-required' | 'login-failed' | 'wrong-crm' | 'scope' | 'not-found' | 'unknown-branch' | 'invalid-reference' | 'invalid-token' | 'method-not-allowed' | 'email-exists' | 'username-exists' | 'reference-exists' | 'owner' | 'future-appointments' | 'active-appointment' | 'capacity-exceeded' | 'transition-not-allowed' | 'appointment-cancelled' | 'already-participates' | 'in-progress' | 'idempotency-mismatch' | 'channel-hidden' | 'not-invited' | '201' | '202' | 'too-large' | 'media-type' | 'too-many-requests' | 'internal' | 'unavailable'
    message: string
    field?: string
  }>
}

export type Operations = {
  /** Active products */
  'POST /products/active_products': {
    params: {}
    query: { ref?: Array<string>; tslRefs?: Array<string>; channelKey?: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC' }
    body: undefined
    replies: {
      200: {
        products: Array<{
          uuid: string
          ref: string
          name: string
          description: string
          detailsPre: string | null
          minDuration: number | null
          maxDuration: number | null
          leadTimeMinutes: number | null
          followUpTimeMinutes: number | null
          exclusive: boolean
        }>
      }
      400: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Add a Staff member */
  'POST /crms/{crmId}/provider/{providerRef}/staff': {
    params: { crmId: string; providerRef: string }
    query: {}
    body: {
      userReference: string
    }
    replies: {
      200: {
        reference: string
        email: string
        username: string
        firstName: string | null
        lastName: string
        phone: string | null
        mobile: string | null
      }
      201: {
        reference: string
        email: string
        username: string
        firstName: string | null
        lastName: string
        phone: string | null
        mobile: string | null
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Booking form of a product */
  'GET /products/{uuid}/bookingConfig': {
    params: { uuid: string }
    query: {}
    body: undefined
    replies: {
      200: Record<string, unknown>
      400: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Can it work? */
  'GET /readyz': {
    params: {}
    query: {}
    body: undefined
    replies: {
      200: {
        status: 'ok' | 'degraded' | 'migrating' | 'outdated' | 'unavailable'
        database: 'ok' | 'away'
        migration?: number
        oldestJobSeconds?: number
      }
      400: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Cancel Appointment */
  'DELETE /crms/{crmId}/provider/{providerRef}/appointments': {
    params: { crmId: string; providerRef: string }
    query: { message?: string; appointmentReference?: string }
    body: {
      appointmentReference?: string | null
    } | null
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        appointment: {
          uuid: string
          reference: string
          acceptBookings: boolean
          address: string | {
            city: string
            zip: string
            street: string
            number: string
            countryCode: string
          } | null
          archived: boolean
          capacity: number
          contactReference: string | null
          description: string | null
          start: string
          end: string
          notes: string | null
          participations: Array<{
            reference: string
            email: string | null
            mobile: string | null
            name: string | null
            note: string | null
            state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
            messages: Array<string> | null
          }>
          price: {
            value: number
            currency: 'EUR' | 'CHF'
          } | null
          productReference: string
          resourceReference: string
          seriesId: string | null
          state: 'ACTIVE' | 'CANCELLED'
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      413: ErrorReply
      415: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Cancel my booking */
  'DELETE /customers/{customerUuid}/appointments/{appointmentUuid}': {
    params: { customerUuid: string; appointmentUuid: string }
    query: { message?: string }
    body: undefined
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
      }
      400: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Change a Product */
  'PATCH /console/api/products/{uuid}': {
    params: { uuid: string }
    query: {}
    body: {
      name?: string
      description?: string | null
      minDuration?: number | null
      maxDuration?: number | null
      leadTimeMinutes?: number | null
      followUpTimeMinutes?: number | null
    }
    replies: {
      200: {
        uuid: string
        reference: string
        name: string
        description: string | null
        minDuration: number | null
        maxDuration: number | null
        leadTimeMinutes: number | null
        followUpTimeMinutes: number | null
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      413: ErrorReply
      415: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Change a Provider */
  'PATCH /console/api/providers/{uuid}': {
    params: { uuid: string }
    query: {}
    body: {
      name?: string
      email?: string | null
      mobile?: string | null
      phone?: string | null
      impressum?: string | null
      description?: string | null
      timeZone?: string
      language?: 'de' | 'en' | 'fr' | 'es' | 'it'
      preIdentification?: boolean
      accentColor?: string | null
      logoUrl?: string | null
    }
    replies: {
      200: {
        uuid: string
        reference: string
        name: string
        email: string | null
        mobile: string | null
        phone: string | null
        impressum: string | null
        description: string | null
        timeZone: string
        language: 'de' | 'en' | 'fr' | 'es' | 'it'
        preIdentification: boolean
        accentColor: string | null
        logoUrl: string | null
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      413: ErrorReply
      415: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Change a channel */
  'PATCH /console/api/resources/{uuid}/channels/{channelKey}': {
    params: { uuid: string; channelKey: string }
    query: {}
    body: {
      visible?: boolean
      customersOnly?: boolean
      bookingProcess?: 'IMMEDIATE' | 'REQUESTED'
      products?: Array<string> | null
      minimumNoticeMinutes?: number
      horizonDays?: number | null
      showFull?: boolean
      reminderHours?: number
    }
    replies: {
      200: {
        uuid: string
        key: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC'
        visible: boolean
        customersOnly: boolean
        bookingProcess: 'IMMEDIATE' | 'REQUESTED'
        products: Array<string> | null
        minimumNoticeMinutes: number
        horizonDays: number | null
        showFull: boolean
        reminderHours: number
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      413: ErrorReply
      415: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Channels of a Resource */
  'GET /console/api/resources/{uuid}/channels': {
    params: { uuid: string }
    query: {}
    body: undefined
    replies: {
      200: {
        channels: Array<{
          uuid: string
          key: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC'
          visible: boolean
          customersOnly: boolean
          bookingProcess: 'IMMEDIATE' | 'REQUESTED'
          products: Array<string> | null
          minimumNoticeMinutes: number
          horizonDays: number | null
          showFull: boolean
          reminderHours: number
        }>
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Chosen products */
  'POST /products/specific_products': {
    params: {}
    query: { prdRefs?: Array<string>; channelKey?: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC' }
    body: undefined
    replies: {
      200: Array<{
        uuid: string
        ref: string
        name: string
        description: string
        detailsPre: string | null
        minDuration: number | null
        maxDuration: number | null
        leadTimeMinutes: number | null
        followUpTimeMinutes: number | null
        exclusive: boolean
      }>
      400: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Complete a booking */
  'POST /resources/{ref}/create_appointment_with_consumer': {
    params: { ref: string }
    query: { timeFormat?: string; channelKey?: string; message?: string }
    body: {
      start: string
      end: string
      timeslot_uuid: string
      product_uuid?: string | null
      placeholder_id?: string | null
      email: string
      firstname: string
      lastname: string
      mobile?: string | null
      message?: string | null
      locale?: string | null
      timeZone?: string | null
      channelKey?: string | null
    } | {
      start: string
      end: string
      timeslot_uuid: string
      product_uuid?: string | null
      placeholder_id?: string | null
      customer_id: string
      message?: string | null
      locale?: string | null
      timeZone?: string | null
      channelKey?: string | null
    }
    replies: {
      201: {
        'api-info': {
          version: "1"
        }
        createdAppointment: {
          appointment_uuid: string
          start: string
          end: string
          timeslot_uuid: string
          product_uuid: string
          product_name: string
          products: Array<{
            uuid: string
            name: string
          }>
          resource_uuid: string
          resource_name: string
          contact_channel: {
            type: string
            value: string
          } | null
          capacity: number
          capacity_left: number
          kind: 'models.Bookable' | 'models.LotAppointment'
          cancelLink: string
        }
      }
      400: ErrorReply
      403: ErrorReply
      404: ErrorReply
      412: ErrorReply
      413: ErrorReply
      415: ErrorReply
      429: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Create Account */
  'POST /crms/{crmId}/account': {
    params: { crmId: string }
    query: {}
    body: {
      ownerReference: string
      accountReference: string
      branch: 'real-estate' | 'facilities' | 'handyman' | 'sports-and-leisure' | 'misc'
      invoiceAddress?: {
        city: string
        zip: string
        street: string
        number: string
        countryCode: string
      } | null
      invoiceContactName?: string | null
      invoiceCompanyName?: string | null
      invoiceTaxId?: string | null
      email?: string | null
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        account: {
          ownerReference: string
          accountReference: string
          branch: 'real-estate' | 'facilities' | 'handyman' | 'sports-and-leisure' | 'misc'
          invoiceAddress: {
            city: string
            zip: string
            street: string
            number: string
            countryCode: string
          } | null
          invoiceContactName: string | null
          invoiceCompanyName: string | null
          invoiceTaxId: string | null
          email: string | null
        }
      }
      201: {
        'api-info': {
          version: "1"
        }
        account: {
          ownerReference: string
          accountReference: string
          branch: 'real-estate' | 'facilities' | 'handyman' | 'sports-and-leisure' | 'misc'
          invoiceAddress: {
            city: string
            zip: string
            street: string
            number: string
            countryCode: string
          } | null
          invoiceContactName: string | null
          invoiceCompanyName: string | null
          invoiceTaxId: string | null
          email: string | null
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Create Appointments */
  'POST /crms/{crmId}/provider/{providerRef}/appointments': {
    params: { crmId: string; providerRef: string }
    query: {}
    body: {
      from?: string | null
      to?: string | null
      series_data: {
        from: string
        to: string
        raster: number
        weekdays?: Array<'1' | '2' | '3' | '4' | '5' | '6' | '7'> | null
      }
      capacity?: number | null
      acceptBookings?: boolean | null
      resourceReference: string
      productReference: string
      productName?: string | null
      contactReference?: string | null
      contact?: string | null
      contactProfileReference?: string | null
      description?: string | null
      notes?: string | null
      address?: string | {
        city: string
        zip: string
        street: string
        number: string
        countryCode?: string | null
        country?: string | null
      } | null
      price?: {
        value: number
        currency: 'EUR' | 'CHF'
      } | null
      participations?: Array<{
        reference?: string | null
        name: string
        email: string
        mobile?: string | null
        note?: string | null
        state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
      }> | null
    } | {
      reference: string
      start: string
      end: string
      capacity?: number | null
      acceptBookings?: boolean | null
      resourceReference: string
      productReference: string
      productName?: string | null
      contactReference?: string | null
      contact?: string | null
      contactProfileReference?: string | null
      description?: string | null
      notes?: string | null
      address?: string | {
        city: string
        zip: string
        street: string
        number: string
        countryCode?: string | null
        country?: string | null
      } | null
      price?: {
        value: number
        currency: 'EUR' | 'CHF'
      } | null
      participations?: Array<{
        reference: string
        name: string
        email: string
        mobile?: string | null
        note?: string | null
        state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
      }> | null
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        appointment: {
          uuid: string
          reference: string
          acceptBookings: boolean
          address: string | {
            city: string
            zip: string
            street: string
            number: string
            countryCode: string
          } | null
          archived: boolean
          capacity: number
          contactReference: string | null
          description: string | null
          start: string
          end: string
          notes: string | null
          participations: Array<{
            reference: string
            email: string | null
            mobile: string | null
            name: string | null
            note: string | null
            state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
            messages: Array<string> | null
          }>
          price: {
            value: number
            currency: 'EUR' | 'CHF'
          } | null
          productReference: string
          resourceReference: string
          seriesId: string | null
          state: 'ACTIVE' | 'CANCELLED'
        }
      }
      201: {
        'api-info': {
          version: "1"
        }
        seriesId: string
        appointments: Array<{
          uuid: string
          reference: string
          acceptBookings: boolean
          address: string | {
            city: string
            zip: string
            street: string
            number: string
            countryCode: string
          } | null
          archived: boolean
          capacity: number
          contactReference: string | null
          description: string | null
          start: string
          end: string
          notes: string | null
          participations: Array<{
            reference: string
            email: string | null
            mobile: string | null
            name: string | null
            note: string | null
            state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
            messages: Array<string> | null
          }>
          price: {
            value: number
            currency: 'EUR' | 'CHF'
          } | null
          productReference: string
          resourceReference: string
          seriesId: string | null
          state: 'ACTIVE' | 'CANCELLED'
        }>
      } | {
        'api-info': {
          version: "1"
        }
        appointment: {
          uuid: string
          reference: string
          acceptBookings: boolean
          address: string | {
            city: string
            zip: string
            street: string
            number: string
            countryCode: string
          } | null
          archived: boolean
          capacity: number
          contactReference: string | null
          description: string | null
          start: string
          end: string
          notes: string | null
          participations: Array<{
            reference: string
            email: string | null
            mobile: string | null
            name: string | null
            note: string | null
            state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
            messages: Array<string> | null
          }>
          price: {
            value: number
            currency: 'EUR' | 'CHF'
          } | null
          productReference: string
          resourceReference: string
          seriesId: string | null
          state: 'ACTIVE' | 'CANCELLED'
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Create Customer */
  'POST /crms/{crmId}/provider/{providerRef}/customers': {
    params: { crmId: string; providerRef: string }
    query: {}
    body: {
      customerReference: string
      userName: string
      email?: string | null
      mobile?: string | null
      note?: string | null
      language?: string | null
      providerReference: string
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        customer: {
          customerReference: string
          providerReference: string
          userName: string
          email: string | null
          mobile: string | null
          note: string | null
          language: string | null
        }
      }
      201: {
        'api-info': {
          version: "1"
        }
        customer: {
          customerReference: string
          providerReference: string
          userName: string
          email: string | null
          mobile: string | null
          note: string | null
          language: string | null
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Create Participation */
  'POST /crms/{crmId}/provider/{providerRef}/participations': {
    params: { crmId: string; providerRef: string }
    query: { ignoreCapacity?: boolean; onDuplicateRaise?: boolean; sendMails?: boolean }
    body: {
      reference: string
      appointmentReference: string
      customerReference: string
      state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
      message?: string | null
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        participation: {
          reference: string
          email: string | null
          mobile: string | null
          name: string | null
          note: string | null
          state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
          messages: Array<string> | null
          appointmentReference: string
          customerReference: string | null
        }
      }
      201: {
        'api-info': {
          version: "1"
        }
        participation: {
          reference: string
          email: string | null
          mobile: string | null
          name: string | null
          note: string | null
          state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
          messages: Array<string> | null
          appointmentReference: string
          customerReference: string | null
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Create Product */
  'POST /crms/{crmId}/provider/{providerRef}/products': {
    params: { crmId: string; providerRef: string }
    query: {}
    body: {
      reference: string
      name: string
      description?: string | null
      minDuration?: number | null
      maxDuration?: number | null
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        product: {
          uuid: string
          reference: string
          name: string
          description: string | null
          minDuration: number | null
          maxDuration: number | null
          leadTimeMinutes: number | null
          followUpTimeMinutes: number | null
        }
      }
      201: {
        'api-info': {
          version: "1"
        }
        product: {
          uuid: string
          reference: string
          name: string
          description: string | null
          minDuration: number | null
          maxDuration: number | null
          leadTimeMinutes: number | null
          followUpTimeMinutes: number | null
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Create Provider */
  'POST /crms/{crmId}/provider': {
    params: { crmId: string }
    query: {}
    body: {
      reference: string
      ownerReference: string
      accountReference: string
      name: string
      email?: string | null
      mobile?: string | null
      phone?: string | null
      impressum?: string | null
      branch?: 'real-estate' | 'facilities' | 'handyman' | 'sports-and-leisure' | 'misc' | null
      subbranch?: string | null
      timeZone?: string | null
      language?: 'de' | 'en' | 'fr' | 'es' | 'it' | null
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        provider: {
          uuid: string
          reference: string
          name: string
          email: string | null
          mobile: string | null
          phone: string | null
          impressum: string | null
          branch: 'real-estate' | 'facilities' | 'handyman' | 'sports-and-leisure' | 'misc' | null
          subbranch: string | null
          timeZone: string
          language: 'de' | 'en' | 'fr' | 'es' | 'it'
        }
      }
      201: {
        'api-info': {
          version: "1"
        }
        provider: {
          uuid: string
          reference: string
          name: string
          email: string | null
          mobile: string | null
          phone: string | null
          impressum: string | null
          branch: 'real-estate' | 'facilities' | 'handyman' | 'sports-and-leisure' | 'misc' | null
          subbranch: string | null
          timeZone: string
          language: 'de' | 'en' | 'fr' | 'es' | 'it'
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Create Resource */
  'POST /crms/{crmId}/provider/{providerRef}/resources': {
    params: { crmId: string; providerRef: string }
    query: { onDuplicateRaise?: boolean }
    body: {
      reference: string
      publicName: string
      internalName: string
      description?: string | null
      products?: Array<string> | null
      contact?: string | null
      contactProfileReference?: string | null
      website?: string | null
      address?: {
        city: string
        zip: string
        street: string
        number: string
        countryCode?: string | null
        country?: string | null
      } | null
    }
    replies: {
      200: {
        reference: string
        uuid: string
        provider: string
        publicName: string
        internalName: string
        description: string | null
        contact: string | null
        archived: boolean
        products: Array<string>
        address: {
          city: string
          zip: string
          street: string
          number: string
          countryCode: string
        } | null
      }
      201: {
        reference: string
        uuid: string
        provider: string
        publicName: string
        internalName: string
        description: string | null
        contact: string | null
        archived: boolean
        products: Array<string>
        address: {
          city: string
          zip: string
          street: string
          number: string
          countryCode: string
        } | null
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Create Timeslots */
  'POST /crms/{crmId}/provider/{providerRef}/timeslots': {
    params: { crmId: string; providerRef: string }
    query: {}
    body: {
      timeslots: Array<{
        reference?: string | null
        resourceReference: string
        start?: string | null
        end: string
        raster: number
        defaultCapacity: number
        defaultAcceptBookings: boolean
        address?: string | {
          city: string
          zip: string
          street: string
          number: string
          countryCode?: string | null
          country?: string | null
        } | null
        state: 'CREATED' | 'BOOKABLE'
      }>
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        timeslots: Array<{
          uuid: string
          reference: string
          resourceReference: string
          start: string
          end: string
          raster: number
          defaultCapacity: number
          defaultAcceptBookings: boolean
          address: string | {
            city: string
            zip: string
            street: string
            number: string
            countryCode: string
          } | null
          state: 'CREATED' | 'BOOKABLE'
          appointments: Array<{
            uuid: string
            reference: string
            acceptBookings: boolean
            address: string | {
              city: string
              zip: string
              street: string
              number: string
              countryCode: string
            } | null
            archived: boolean
            capacity: number
            contactReference: string | null
            description: string | null
            start: string
            end: string
            notes: string | null
            participations: Array<{
              reference: string
              email: string | null
              mobile: string | null
              name: string | null
              note: string | null
              state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
              messages: Array<string> | null
            }>
            price: {
              value: number
              currency: 'EUR' | 'CHF'
            } | null
            productReference: string
            resourceReference: string
            seriesId: string | null
            state: 'ACTIVE' | 'CANCELLED'
          }>
        }>
      }
      201: {
        'api-info': {
          version: "1"
        }
        timeslots: Array<{
          uuid: string
          reference: string
          resourceReference: string
          start: string
          end: string
          raster: number
          defaultCapacity: number
          defaultAcceptBookings: boolean
          address: string | {
            city: string
            zip: string
            street: string
            number: string
            countryCode: string
          } | null
          state: 'CREATED' | 'BOOKABLE'
          appointments: Array<{
            uuid: string
            reference: string
            acceptBookings: boolean
            address: string | {
              city: string
              zip: string
              street: string
              number: string
              countryCode: string
            } | null
            archived: boolean
            capacity: number
            contactReference: string | null
            description: string | null
            start: string
            end: string
            notes: string | null
            participations: Array<{
              reference: string
              email: string | null
              mobile: string | null
              name: string | null
              note: string | null
              state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
              messages: Array<string> | null
            }>
            price: {
              value: number
              currency: 'EUR' | 'CHF'
            } | null
            productReference: string
            resourceReference: string
            seriesId: string | null
            state: 'ACTIVE' | 'CANCELLED'
          }>
        }>
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Create User */
  'POST /crms/{crmId}/user': {
    params: { crmId: string }
    query: {}
    body: {
      reference: string
      email: string
      username: string
      lastName: string
      firstName?: string | null
      phone?: string | null
      mobile?: string | null
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        user: {
          reference: string
          email: string
          username: string
          firstName: string | null
          lastName: string
          phone: string | null
          mobile: string | null
        }
      }
      201: {
        'api-info': {
          version: "1"
        }
        user: {
          reference: string
          email: string
          username: string
          firstName: string | null
          lastName: string
          phone: string | null
          mobile: string | null
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Create or Update Provider Profile */
  'POST /crms/{crmId}/provider/{providerRef}/contactProfile': {
    params: { crmId: string; providerRef: string }
    query: {}
    body: {
      reference: string
      userReference: string
      providerReference: string
      name: string
      contactChannels: Array<{
        label?: string | null
        type: 'mobile' | 'phone' | 'email' | 'video' | 'messenger' | 'link' | 'location'
        value: string
      }>
    }
    replies: {
      200: {
        reference: string
        userReference: string
        providerReference: string
        name: string
        contactChannels: Array<{
          label: string | null
          type: 'mobile' | 'phone' | 'email' | 'video' | 'messenger' | 'link' | 'location'
          value: string
        }>
      }
      201: {
        reference: string
        userReference: string
        providerReference: string
        name: string
        contactChannels: Array<{
          label: string | null
          type: 'mobile' | 'phone' | 'email' | 'video' | 'messenger' | 'link' | 'location'
          value: string
        }>
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Delete Appointments without notification */
  'DELETE /crms/{crmId}/provider/{providerRef}/appointments/withoutNotification': {
    params: { crmId: string; providerRef: string }
    query: { appointmentReference?: string; seriesId?: string }
    body: {
      appointmentReference?: string | null
      seriesId?: string | null
    } | null
    replies: {
      204: null
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      413: ErrorReply
      415: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Delete Customer */
  'DELETE /crms/{crmId}/provider/{providerRef}/customers/{customerRef}': {
    params: { crmId: string; providerRef: string; customerRef: string }
    query: { ignoreFutureAppointments?: boolean }
    body: undefined
    replies: {
      204: null
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Delete Resource */
  'DELETE /crms/{crmId}/provider/{providerRef}/resources/{resourceRef}': {
    params: { crmId: string; providerRef: string; resourceRef: string }
    query: { ignoreFutureAppointments?: boolean }
    body: undefined
    replies: {
      204: null
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Delete Timeslot */
  'DELETE /crms/{crmId}/provider/{providerRef}/timeslots/{timeslotRef}': {
    params: { crmId: string; providerRef: string; timeslotRef: string }
    query: {}
    body: undefined
    replies: {
      204: null
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Get Account */
  'GET /crms/{crmId}/account/{reference}': {
    params: { crmId: string; reference: string }
    query: {}
    body: undefined
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        account: {
          ownerReference: string
          accountReference: string
          branch: 'real-estate' | 'facilities' | 'handyman' | 'sports-and-leisure' | 'misc'
          invoiceAddress: {
            city: string
            zip: string
            street: string
            number: string
            countryCode: string
          } | null
          invoiceContactName: string | null
          invoiceCompanyName: string | null
          invoiceTaxId: string | null
          email: string | null
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Get Appointments */
  'GET /crms/{crmId}/provider/{providerRef}/appointments': {
    params: { crmId: string; providerRef: string }
    query: { productRef?: string; resourceRef?: string; includeArchived?: boolean; from?: string; to?: string }
    body: undefined
    replies: {
      200: Array<{
        uuid: string
        reference: string
        acceptBookings: boolean
        address: string | {
          city: string
          zip: string
          street: string
          number: string
          countryCode: string
        } | null
        archived: boolean
        capacity: number
        contactReference: string | null
        description: string | null
        start: string
        end: string
        notes: string | null
        participations: Array<{
          reference: string
          email: string | null
          mobile: string | null
          name: string | null
          note: string | null
          state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
          messages: Array<string> | null
        }>
        price: {
          value: number
          currency: 'EUR' | 'CHF'
        } | null
        productReference: string
        resourceReference: string
        seriesId: string | null
        state: 'ACTIVE' | 'CANCELLED'
      }>
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Get Customer */
  'GET /crms/{crmId}/provider/{providerRef}/customers/{customerRef}': {
    params: { crmId: string; providerRef: string; customerRef: string }
    query: {}
    body: undefined
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        customer: {
          customerReference: string
          providerReference: string
          userName: string
          email: string | null
          mobile: string | null
          note: string | null
          language: string | null
        }
      }
      204: null
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Get General Profile */
  'GET /crms/{crmId}/user/{userRef}/generalContactProfile': {
    params: { crmId: string; userRef: string }
    query: {}
    body: undefined
    replies: {
      200: {
        name: string
        contactChannels: Array<{
          label: string | null
          type: 'mobile' | 'phone' | 'email' | 'video' | 'messenger' | 'link' | 'location'
          value: string
        }>
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Get Products */
  'GET /crms/{crmId}/provider/{providerRef}/products': {
    params: { crmId: string; providerRef: string }
    query: {}
    body: undefined
    replies: {
      200: Array<{
        uuid: string
        reference: string
        name: string
        description: string | null
        minDuration: number | null
        maxDuration: number | null
        leadTimeMinutes: number | null
        followUpTimeMinutes: number | null
      }>
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Get Provider */
  'GET /crms/{crmId}/provider/{reference}': {
    params: { crmId: string; reference: string }
    query: {}
    body: undefined
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        provider: {
          uuid: string
          reference: string
          name: string
          email: string | null
          mobile: string | null
          phone: string | null
          impressum: string | null
          branch: 'real-estate' | 'facilities' | 'handyman' | 'sports-and-leisure' | 'misc' | null
          subbranch: string | null
          timeZone: string
          language: 'de' | 'en' | 'fr' | 'es' | 'it'
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Get Provider Profile */
  'GET /crms/{crmId}/provider/{providerRef}/contactProfile/{profileRef}': {
    params: { crmId: string; providerRef: string; profileRef: string }
    query: {}
    body: undefined
    replies: {
      200: {
        reference: string
        userReference: string
        providerReference: string
        name: string
        contactChannels: Array<{
          label: string | null
          type: 'mobile' | 'phone' | 'email' | 'video' | 'messenger' | 'link' | 'location'
          value: string
        }>
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Get Resources */
  'GET /crms/{crmId}/provider/{providerRef}/resources': {
    params: { crmId: string; providerRef: string }
    query: {}
    body: undefined
    replies: {
      200: Array<{
        reference: string
        uuid: string
        provider: string
        publicName: string
        internalName: string
        description: string | null
        contact: string | null
        archived: boolean
        products: Array<string>
        address: {
          city: string
          zip: string
          street: string
          number: string
          countryCode: string
        } | null
      }>
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Get Timeslots */
  'GET /crms/{crmId}/provider/{providerRef}/resource/{resourceRef}/timeslots': {
    params: { crmId: string; providerRef: string; resourceRef: string }
    query: { from: string; to: string }
    body: undefined
    replies: {
      200: Array<{
        uuid: string
        reference: string
        resourceReference: string
        start: string
        end: string
        raster: number
        defaultCapacity: number
        defaultAcceptBookings: boolean
        address: string | {
          city: string
          zip: string
          street: string
          number: string
          countryCode: string
        } | null
        state: 'CREATED' | 'BOOKABLE'
        appointments: Array<{
          uuid: string
          reference: string
          acceptBookings: boolean
          address: string | {
            city: string
            zip: string
            street: string
            number: string
            countryCode: string
          } | null
          archived: boolean
          capacity: number
          contactReference: string | null
          description: string | null
          start: string
          end: string
          notes: string | null
          participations: Array<{
            reference: string
            email: string | null
            mobile: string | null
            name: string | null
            note: string | null
            state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
            messages: Array<string> | null
          }>
          price: {
            value: number
            currency: 'EUR' | 'CHF'
          } | null
          productReference: string
          resourceReference: string
          seriesId: string | null
          state: 'ACTIVE' | 'CANCELLED'
        }>
      }>
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Get User */
  'GET /crms/{crmId}/user/{reference}': {
    params: { crmId: string; reference: string }
    query: {}
    body: undefined
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        user: {
          reference: string
          email: string
          username: string
          firstName: string | null
          lastName: string
          phone: string | null
          mobile: string | null
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Give a held slot back */
  'POST /resources/{ref}/revoke_reservation': {
    params: { ref: string }
    query: {}
    body: {
      placeholder_id?: string | null
      appointment_id?: string | null
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
      }
      400: ErrorReply
      413: ErrorReply
      415: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** How many requests wait for an answer? */
  'GET /console/api/providers/{uuid}/requests/count': {
    params: { uuid: string }
    query: {}
    body: undefined
    replies: {
      200: {
        count: number
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Is the process alive? */
  'GET /healthz': {
    params: {}
    query: {}
    body: undefined
    replies: {
      200: {
        status: "ok"
      }
      400: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** List Staff */
  'GET /crms/{crmId}/provider/{providerRef}/staff': {
    params: { crmId: string; providerRef: string }
    query: {}
    body: undefined
    replies: {
      200: Array<{
        reference: string
        email: string
        username: string
        firstName: string | null
        lastName: string
        phone: string | null
        mobile: string | null
      }>
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Mails, newest first */
  'GET /console/api/mails': {
    params: {}
    query: { state?: 'queued' | 'sent' | 'failed' | 'kept'; kind?: 'verification' | 'booked' | 'booking-notice' | 'requested' | 'request-notice' | 'declined' | 'cancelled' | 'cancel-notice' | 'reminder'; to?: string; before?: string; limit?: number }
    body: undefined
    replies: {
      200: {
        mails: Array<{
          uuid: string
          kind: 'verification' | 'booked' | 'booking-notice' | 'requested' | 'request-notice' | 'declined' | 'cancelled' | 'cancel-notice' | 'reminder'
          to: string | null
          language: string
          subject: string | null
          state: 'queued' | 'sent' | 'failed' | 'kept'
          attempts: number
          lastError: string | null
          createdAt: string
          sentAt: string | null
        }>
        next: string | null
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** My booking */
  'GET /bookables/cancelable_bookable': {
    params: {}
    query: {}
    body: undefined
    replies: {
      200: Record<string, Array<{
          start: string
          end: string
          formattedStart: string
          formattedEnd: string
          timeslot_uuid: string
          appointment_uuid?: string
          product_uuid: string | null
          product_name: string | null
          products: Array<{
            uuid: string
            name: string
          }>
          resource_uuid: string
          resource_name: string
          contact_channel: {
            type: string
            value: string
          } | null
          price?: {
            value: number
            currency: 'EUR' | 'CHF'
          }
          capacity: number
          capacity_left: number
          kind: 'models.Bookable' | 'models.LotAppointment'
        }>>
      400: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** One channel of a Resource */
  'GET /console/api/resources/{uuid}/channels/{channelKey}': {
    params: { uuid: string; channelKey: string }
    query: {}
    body: undefined
    replies: {
      200: {
        uuid: string
        key: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC'
        visible: boolean
        customersOnly: boolean
        bookingProcess: 'IMMEDIATE' | 'REQUESTED'
        products: Array<string> | null
        minimumNoticeMinutes: number
        horizonDays: number | null
        showFull: boolean
        reminderHours: number
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** One mail as it is sent */
  'GET /console/api/mails/{uuid}': {
    params: { uuid: string }
    query: {}
    body: undefined
    replies: {
      200: {
        uuid: string
        kind: 'verification' | 'booked' | 'booking-notice' | 'requested' | 'request-notice' | 'declined' | 'cancelled' | 'cancel-notice' | 'reminder'
        to: string | null
        language: string
        subject: string | null
        state: 'queued' | 'sent' | 'failed' | 'kept'
        attempts: number
        lastError: string | null
        createdAt: string
        sentAt: string | null
        text: string | null
        html: string | null
        ics: {
          method: string
          content: string
        } | null
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Prometheus metrics */
  'GET /metrics': {
    params: {}
    query: {}
    body: undefined
    replies: {
      200: null
      400: ErrorReply
      401: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Providers */
  'GET /console/api/providers': {
    params: {}
    query: {}
    body: undefined
    replies: {
      200: {
        providers: Array<{
          uuid: string
          reference: string
          name: string
          email: string | null
          mobile: string | null
          phone: string | null
          impressum: string | null
          description: string | null
          timeZone: string
          language: 'de' | 'en' | 'fr' | 'es' | 'it'
          preIdentification: boolean
          accentColor: string | null
          logoUrl: string | null
        }>
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Public data */
  'POST /resources/public_data': {
    params: {}
    query: { ref?: Array<string>; tslRefs?: Array<string>; channelKey?: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC' }
    body: undefined
    replies: {
      200: {
        ref: string
        contact: {
          name: string
          email: string | null
          mobile: string | null
          phone: string | null
        }
        resource: {
          uuid: string
          name: string
          description: string | null
          contactChannelType: string | null
          msgHelpText: string | null
          url: string | null
          imgUrl: string | null
          supportedProducts: Array<string>
          archived: boolean
          address: string | null
        }
        provider: {
          name: string
          description: string | null
          isThemingAllowed: boolean
          isLocalisationAllowed: boolean
          areCustomFieldsAllowed: boolean
          timeZone: string
          impressum: string | null
          theme: {
            light: {
              accent: string
              onAccent: string
            }
            dark: {
              accent: string
              onAccent: string
            }
            logoUrl: string | null
          } | null
        }
        channel: {
          uuid: string
          key: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC'
          visible: boolean
          bookingProcess: 'IMMEDIATE' | 'REQUESTED'
        }
      } | Array<{
        ref: string
        contact: {
          name: string
          email: string | null
          mobile: string | null
          phone: string | null
        }
        resource: {
          uuid: string
          name: string
          description: string | null
          contactChannelType: string | null
          msgHelpText: string | null
          url: string | null
          imgUrl: string | null
          supportedProducts: Array<string>
          archived: boolean
          address: string | null
        }
        provider: {
          name: string
          description: string | null
          isThemingAllowed: boolean
          isLocalisationAllowed: boolean
          areCustomFieldsAllowed: boolean
          timeZone: string
          impressum: string | null
          theme: {
            light: {
              accent: string
              onAccent: string
            }
            dark: {
              accent: string
              onAccent: string
            }
            logoUrl: string | null
          } | null
        }
        channel: {
          uuid: string
          key: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC'
          visible: boolean
          bookingProcess: 'IMMEDIATE' | 'REQUESTED'
        }
      }>
      400: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Remove a Staff member */
  'DELETE /crms/{crmId}/provider/{providerRef}/staff/{userRef}': {
    params: { crmId: string; providerRef: string; userRef: string }
    query: {}
    body: undefined
    replies: {
      204: null
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Reserve a slot */
  'POST /rest/1/resources/{ref}/reserve_appointment': {
    params: { ref: string }
    query: { ref?: string; channelKey?: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC' }
    body: {
      timeslot_uuid?: string | null
      appointment_uuid?: string | null
      product_uuid: string
      placeholder_id?: string | null
      from: string
      to: string
    } | {
      timeslotUuid?: string | null
      appointmentUuid?: string | null
      productUuid: string
      placeholder_id?: string | null
      from: string
      to: string
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        participation: {
          uuid: string
          appointment_uuid: string
          timeslot_uuid: string
          resource_uuid: string
          product_uuid: string
          from: string
          to: string
          appointment_capacity: number
          appointment_capacity_left: number
          customer_uuid: string
          customer_mobile: null
          customer_fullName: null
          customer_email: null
          customer_note: null
          state: "RESERVED"
          formatedAddress: string | null
          messages: Array<string>
          expiresAt: string
        }
        appointments: Array<{
          uuid: string
          kind: 'models.Bookable' | 'models.LotAppointment'
          product_id: string
          product_name: string
          resource_id: string
          from: string
          to: string
          state: "ACTIVE"
          capacity: number
          capacity_left: number
          customers: Array<{
            customer_placeholder_id: string
            customer_uuid: string
            participationState: "RESERVED"
            participation_id: string
          }>
        }>
      }
      400: ErrorReply
      403: ErrorReply
      404: ErrorReply
      412: ErrorReply
      413: ErrorReply
      415: ErrorReply
      429: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Send a mail again */
  'POST /console/api/mails/{uuid}/resend': {
    params: { uuid: string }
    query: {}
    body: undefined
    replies: {
      200: {
        uuid: string
        kind: 'verification' | 'booked' | 'booking-notice' | 'requested' | 'request-notice' | 'declined' | 'cancelled' | 'cancel-notice' | 'reminder'
        to: string | null
        language: string
        subject: string | null
        state: 'queued' | 'sent' | 'failed' | 'kept'
        attempts: number
        lastError: string | null
        createdAt: string
        sentAt: string | null
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Slots of chosen Timeslots and Appointments */
  'POST /bookables/specific_bookables': {
    params: {}
    query: { tslIds?: Array<string>; prdRef?: string; channelKey?: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC' }
    body: undefined
    replies: {
      200: Array<{
        resourceId: string
        bookables: Record<string, Array<{
            start: string
            end: string
            formattedStart: string
            formattedEnd: string
            timeslot_uuid: string
            appointment_uuid?: string
            product_uuid: string | null
            product_name: string | null
            products: Array<{
              uuid: string
              name: string
            }>
            resource_uuid: string
            resource_name: string
            contact_channel: {
              type: string
              value: string
            } | null
            price?: {
              value: number
              currency: 'EUR' | 'CHF'
            }
            capacity: number
            capacity_left: number
            kind: 'models.Bookable' | 'models.LotAppointment'
          }>>
      }>
      400: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** The Appointments of some days, with everybody in them */
  'GET /console/api/providers/{uuid}/diary': {
    params: { uuid: string }
    query: { from: string; to?: string }
    body: undefined
    replies: {
      200: {
        timeZone: string
        now: string
        entries: Array<{
          uuid: string
          reference: string
          origin: 'consumer' | 'provider'
          state: 'ACTIVE' | 'CANCELLED'
          start: string
          end: string
          blockedFrom: string
          blockedTo: string
          capacity: number
          acceptBookings: boolean
          resource: {
            uuid: string
            name: string
          }
          product: {
            uuid: string
            name: string
          }
          description: string | null
          notes: string | null
          address: unknown
          seriesId: string | null
          people: Array<{
            uuid: string
            reference: string
            customer: {
              uuid: string
              reference: string
            } | null
            name: string | null
            email: string | null
            mobile: string | null
            note: string | null
            state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
            expiresAt: string | null
          }>
        }>
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Upcoming bookables */
  'GET /resources/{ref}/upcoming_bookables': {
    params: { ref: string }
    query: { groupFormat?: string; timeFormat?: string; languageTag?: string; channelKey?: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC'; ref?: Array<string>; prdRef?: string; from?: string; to?: string }
    body: undefined
    replies: {
      200: {
        public_visible: boolean
      } & Record<string, Array<{
          start: string
          end: string
          formattedStart: string
          formattedEnd: string
          timeslot_uuid: string
          appointment_uuid?: string
          product_uuid: string | null
          product_name: string | null
          products: Array<{
            uuid: string
            name: string
          }>
          resource_uuid: string
          resource_name: string
          contact_channel: {
            type: string
            value: string
          } | null
          price?: {
            value: number
            currency: 'EUR' | 'CHF'
          }
          capacity: number
          capacity_left: number
          kind: 'models.Bookable' | 'models.LotAppointment'
        }> | boolean>
      204: null
      304: null
      400: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Upcoming bookables */
  'POST /resources/{ref}/upcoming_bookables': {
    params: { ref: string }
    query: { groupFormat?: string; timeFormat?: string; languageTag?: string; channelKey?: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC'; ref?: Array<string>; prdRef?: string; from?: string; to?: string }
    body: undefined
    replies: {
      200: {
        public_visible: boolean
      } & Record<string, Array<{
          start: string
          end: string
          formattedStart: string
          formattedEnd: string
          timeslot_uuid: string
          appointment_uuid?: string
          product_uuid: string | null
          product_name: string | null
          products: Array<{
            uuid: string
            name: string
          }>
          resource_uuid: string
          resource_name: string
          contact_channel: {
            type: string
            value: string
          } | null
          price?: {
            value: number
            currency: 'EUR' | 'CHF'
          }
          capacity: number
          capacity_left: number
          kind: 'models.Bookable' | 'models.LotAppointment'
        }> | boolean>
      204: null
      304: null
      400: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Update Customer */
  'PUT /crms/{crmId}/provider/{providerRef}/customers/{customerRef}': {
    params: { crmId: string; providerRef: string; customerRef: string }
    query: {}
    body: {
      customerReference?: string
      userName?: string
      email?: string | null
      mobile?: string | null
      note?: string | null
      language?: string | null
      providerReference?: string
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        customer: {
          customerReference: string
          providerReference: string
          userName: string
          email: string | null
          mobile: string | null
          note: string | null
          language: string | null
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Update General Profile */
  'PUT /crms/{crmId}/user/{userRef}/generalContactProfile': {
    params: { crmId: string; userRef: string }
    query: {}
    body: {
      name: string
      contactChannels: Array<{
        label?: string | null
        type: 'mobile' | 'phone' | 'email' | 'video' | 'messenger' | 'link' | 'location'
        value: string
      }>
    }
    replies: {
      200: {
        name: string
        contactChannels: Array<{
          label: string | null
          type: 'mobile' | 'phone' | 'email' | 'video' | 'messenger' | 'link' | 'location'
          value: string
        }>
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Update Participation */
  'POST /crms/{crmId}/provider/{providerRef}/participations/{participationRef}': {
    params: { crmId: string; providerRef: string; participationRef: string }
    query: { sendMails?: boolean }
    body: {
      state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
      message?: string | null
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        participation: {
          reference: string
          email: string | null
          mobile: string | null
          name: string | null
          note: string | null
          state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
          messages: Array<string> | null
          appointmentReference: string
          customerReference: string | null
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Update Resource */
  'POST /crms/{crmId}/provider/{providerRef}/resources/{resourceRef}': {
    params: { crmId: string; providerRef: string; resourceRef: string }
    query: {}
    body: {
      reference?: string
      publicName?: string
      internalName?: string
      description?: string | null
      products?: Array<string> | null
      contact?: string | null
      contactProfileReference?: string | null
      website?: string | null
      address?: {
        city: string
        zip: string
        street: string
        number: string
        countryCode?: string | null
        country?: string | null
      } | null
      archived?: boolean
    }
    replies: {
      202: {
        reference: string
        uuid: string
        provider: string
        publicName: string
        internalName: string
        description: string | null
        contact: string | null
        archived: boolean
        products: Array<string>
        address: {
          city: string
          zip: string
          street: string
          number: string
          countryCode: string
        } | null
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Update Timeslot */
  'PUT /crms/{crmId}/provider/{providerRef}/timeslots/{timeslotRef}': {
    params: { crmId: string; providerRef: string; timeslotRef: string }
    query: {}
    body: {
      start?: string
      end?: string
      raster?: number
      defaultCapacity?: number
      defaultAcceptBookings?: boolean
      address?: string | {
        city: string
        zip: string
        street: string
        number: string
        countryCode?: string | null
        country?: string | null
      } | null
      state?: 'CREATED' | 'BOOKABLE'
    }
    replies: {
      200: {
        'api-info': {
          version: "1"
        }
        timeslot: {
          uuid: string
          reference: string
          resourceReference: string
          start: string
          end: string
          raster: number
          defaultCapacity: number
          defaultAcceptBookings: boolean
          address: string | {
            city: string
            zip: string
            street: string
            number: string
            countryCode: string
          } | null
          state: 'CREATED' | 'BOOKABLE'
          appointments: Array<{
            uuid: string
            reference: string
            acceptBookings: boolean
            address: string | {
              city: string
              zip: string
              street: string
              number: string
              countryCode: string
            } | null
            archived: boolean
            capacity: number
            contactReference: string | null
            description: string | null
            start: string
            end: string
            notes: string | null
            participations: Array<{
              reference: string
              email: string | null
              mobile: string | null
              name: string | null
              note: string | null
              state: 'RESERVED' | 'REQUESTED' | 'BOOKED' | 'CANCELED' | 'DELETED'
              messages: Array<string> | null
            }>
            price: {
              value: number
              currency: 'EUR' | 'CHF'
            } | null
            productReference: string
            resourceReference: string
            seriesId: string | null
            state: 'ACTIVE' | 'CANCELLED'
          }>
        }
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      409: ErrorReply
      413: ErrorReply
      415: ErrorReply
      422: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Who am I, and for whom may I work? */
  'GET /console/api/session': {
    params: {}
    query: {}
    body: undefined
    replies: {
      200: {
        me: {
          uuid: string
          name: string
          email: string
          role: 'operator' | 'administrator' | 'staff'
          crm: string | null
          language: 'de' | 'en' | 'fr' | 'es' | 'it'
          hasPassword: boolean
          hasTotp: boolean
        }
        providers: Array<{
          uuid: string
          reference: string
          name: string
          crm: string
          timeZone: string
          language: 'de' | 'en' | 'fr' | 'es' | 'it'
          role: 'staff' | 'owner' | 'administrator' | 'operator'
        }>
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Who am I? */
  'GET /crms/{platform}/resources/{ref}/customers/{customerId}/identify': {
    params: { platform: string; ref: string; customerId: string }
    query: {}
    body: undefined
    replies: {
      200: {
        name: string
        email: string
        missingFields: Array<string>
      }
      400: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
  /** Why is each slot of a day offered or not? */
  'GET /console/api/resources/{uuid}/explain': {
    params: { uuid: string }
    query: { date: string; channelKey?: 'RESOURCE_PUBLIC' | 'RESOURCE_EXCLUSIVE' | 'RESOURCE_REFERENCE' | 'CALENDAR_PUBLIC'; prdRef?: string }
    body: undefined
    replies: {
      200: {
        timeZone: string
        lines: Array<{
          start: string
          end: string
          timeslot: string
          offered: boolean
          reason: string
          text: string
          appointment: string | null
          products: Array<string>
        }>
      }
      400: ErrorReply
      401: ErrorReply
      403: ErrorReply
      404: ErrorReply
      500: ErrorReply
      503: ErrorReply
    }
  }
}
