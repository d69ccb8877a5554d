import Type from 'typebox'

const reference = (noun: string) => Type.String({ description: `Reference of the ${noun}, URL-encoded.` })
const uuid = (noun: string) => Type.String({ format: 'uuid', description: `uuid of the ${noun}.` })

/** Descriptions of the path parameters. */
export const pathParameters: Record<string, Type.TSchema> = {
  crmId: Type.String({ description: 'Name of the CRM that the API key belongs to.' }),
  reference: Type.String({ description: 'The reference it was created with, URL-encoded.' }),
  userRef: reference('User'),
  providerRef: reference('Provider'),
  resourceRef: reference('Resource'),
  productRef: reference('Product'),
  profileRef: reference('Contact Profile'),
  timeslotRef: reference('Timeslot'),
  appointmentRef: reference('Appointment'),
  participationRef: reference('Participation'),
  customerRef: reference('Customer'),
  otherRef: reference('other Customer'),
  otherUuid: uuid('other Customer'),
  ref: Type.String({
    description:
      'The Resource: its uuid, the uuid of one of its channels, `id@providerUuid@platform`, or its reference.',
  }),
  uuid: Type.String({ format: 'uuid', description: 'uuid of the record.' }),
  channelKey: Type.String({ description: 'Key of the channel, such as RESOURCE_PUBLIC.' }),
  platform: Type.String({ description: 'The part of references after the last @.' }),
  customerId: reference('Customer'),
  customerUuid: uuid('Customer'),
  appointmentUuid: uuid('Appointment'),
  calendarUuid: uuid('calendar'),
  sourceUuid: uuid('external calendar'),
  entryUuid: uuid('entry of the waiting list'),
  mergeUuid: uuid('merge'),
  seriesId: uuid('series'),
  closureUuid: uuid('closure'),
  blockUuid: uuid('block'),
  webhookUuid: uuid('webhook'),
  sessionUuid: uuid('session'),
  userUuid: uuid('User'),
  loginUuid: uuid('login'),
  keyUuid: uuid('API key'),
  questionKey: Type.String({ description: 'Key of the question.' }),
  kind: Type.String({ description: 'Kind of email, such as booked or reminder.' }),
  jobId: Type.String({ description: 'id of the job.' }),
  deliveryId: Type.String({ description: 'id of the delivery.' }),
}
