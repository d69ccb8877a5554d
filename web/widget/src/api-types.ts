// The consumer API as far as the widget uses it. Names are those of the wire.

export type Bookable = {
  start: string
  end: string
  timeslot_uuid: string
  appointment_uuid?: string
  product_uuid: string | null
  resource_uuid: string
  capacity: number
  capacity_left: number
  price?: { value: number; currency: string } | null
}

type Tone = { accent: string; onAccent: string }

export type PublicData = {
  ref: string
  contact: { name: string; email: string | null; mobile: string | null; phone: string | null }
  resource: {
    uuid: string
    name: string
    description: string | null
    archived: boolean
    address: string | null
  }
  provider: {
    name: string
    timeZone: string
    impressum: string | null
    theme: { light: Tone; dark: Tone; logoUrl: string | null } | null
  }
  channel: { visible: boolean; bookingProcess: string }
}

export type Product = {
  uuid: string
  ref: string
  name: string
  description: string | null
  minDuration: number | null
}

export type Participation = {
  uuid: string
  appointment_uuid: string
  timeslot_uuid: string
  product_uuid: string
  from: string
  to: string
  customer_uuid: string
  formatedAddress: string | null
  expiresAt: string
}

export type Created = {
  appointment_uuid: string
  start: string
  end: string
  product_name: string
  resource_name: string
  resource_uuid: string
  contact_channel: { type: string; value: string } | null
  cancelLink: string
}

export type ReserveBody = {
  timeslot_uuid: string
  appointment_uuid: string | undefined
  product_uuid: string
  placeholder_id: string | undefined
  from: string
  to: string
}

export type CompleteBody = {
  start: string
  end: string
  timeslot_uuid: string
  product_uuid: string
  placeholder_id: string | undefined
  firstname: string
  lastname: string
  email: string
  mobile: string | undefined
  message: string | undefined
  locale: string
  channelKey: string | undefined
}
