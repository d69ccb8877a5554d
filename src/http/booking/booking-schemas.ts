import Type from 'typebox'
import { phoneFields } from '../../rules/offers/booking-settings.ts'
import { channelKeys } from '../../rules/offers/channels.ts'
import { questionTypes } from '../../rules/questions/questions.ts'
import { Choice, Moment, Price, Url, Uuid } from '../wire/fields.ts'
import { Nullable, Wrapped } from '../wire/wrapper.ts'

/** Query parameters that the consumer calls share. */
export const ChannelKeyName = Choice(channelKeys, { title: 'ChannelKey' })
export const PhoneFieldName = Choice(phoneFields, {
  title: 'PhoneField',
  description:
    'Whether booking pages and widget ask for a phone number. Calls of the API are never refused for a missing one.',
})
export const ChannelKeyQuery = Choice(channelKeys, {
  default: 'RESOURCE_PUBLIC',
  description: 'Channel through which the Resource is booked.',
})
export const Refs = Type.Array(Type.String(), {
  default: [],
  description: 'References or uuids; may be repeated.',
})
export const ProductRef = Type.Optional(
  Type.String({ description: 'Reference or uuid of a Product. Only slots that fit it are listed.' }),
)

const ContactChannel = Nullable(
  Type.Object({ type: Type.String(), value: Type.String() }, { title: 'PublicContactChannel' }),
)
const ProductName = Type.Object({ uuid: Uuid, name: Type.String() }, { title: 'ProductName' })
const Kind = Choice(['models.Bookable', 'models.LotAppointment'], { title: 'BookableKind' })

const BookableRecord = Type.Object(
  {
    start: Moment,
    end: Moment,
    formattedStart: Type.String(),
    formattedEnd: Type.String(),
    timeslot_uuid: Uuid,
    appointment_uuid: Type.Optional(Uuid),
    product_uuid: Nullable(Uuid),
    product_name: Nullable(Type.String()),
    products: Type.Array(ProductName),
    resource_uuid: Uuid,
    resource_name: Type.String(),
    contact_channel: ContactChannel,
    price: Type.Optional(Price),
    capacity: Type.Number(),
    capacity_left: Type.Number(),
    kind: Kind,
  },
  { title: 'Bookable' },
)

/** By day, or by whatever groupFormat yields. */
export const BookablesByGroup = Type.Object(
  {},
  { title: 'BookablesByGroup', additionalProperties: Type.Array(BookableRecord) },
)

export const languageTag = Type.Optional(
  Type.String({ maxLength: 35, description: 'Language of the questions; otherwise the Provider’s.' }),
)

export const FormQuestionView = Type.Object(
  {
    key: Type.String(),
    type: Choice(questionTypes),
    label: Type.String(),
    help: Nullable(Type.String()),
    required: Type.Boolean(),
    options: Type.Array(Type.Object({ key: Type.String(), label: Type.String() })),
    min: Nullable(Type.Union([Type.Number(), Type.String()])),
    max: Nullable(Type.Union([Type.Number(), Type.String()])),
    maxLength: Nullable(Type.Integer()),
    showIf: Nullable(
      Type.Object(
        { key: Type.String(), is: Type.Union([Type.String(), Type.Number(), Type.Boolean()]) },
        { description: 'Show it only while the answer to this earlier question is, or includes, this one.' },
      ),
    ),
  },
  { title: 'FormQuestion' },
)

/** A booking that its consumer may still change, in the form of a slot. */
const MyBookable = Type.Object(
  {
    ...BookableRecord.properties,
    state: Choice(['BOOKED', 'REQUESTED']),
    channel_key: Nullable(ChannelKeyName),
    changeable: Type.Boolean({
      description: 'False if it is too late to cancel or reschedule online.',
    }),
    requested: Nullable(
      Type.Object(
        { start: Moment, end: Moment },
        { description: 'The requested new time, until the provider has answered.' },
      ),
    ),
    questions: Type.Array(FormQuestionView, {
      description:
        'What moving the booking asks: questions of the Product without an answer so far. Send the answers with the move.',
    }),
  },
  { title: 'MyBookable' },
)

export const MyBookables = Type.Object(
  {},
  { title: 'MyBookables', additionalProperties: Type.Array(MyBookable) },
)

export const BookableGroups = Type.Object(
  { public_visible: Type.Boolean() },
  { title: 'Bookables', additionalProperties: Type.Array(BookableRecord) },
)

export const ReserveReply = Wrapped({
  participation: Type.Object(
    {
      uuid: Uuid,
      appointment_uuid: Uuid,
      timeslot_uuid: Uuid,
      resource_uuid: Uuid,
      product_uuid: Uuid,
      from: Moment,
      to: Moment,
      appointment_capacity: Type.Number(),
      appointment_capacity_left: Type.Number(),
      customer_uuid: Type.String({
        format: 'uuid',
        description: 'Send it as placeholder_id when completing.',
      }),
      customer_mobile: Type.Null(),
      customer_fullName: Type.Null(),
      customer_email: Type.Null(),
      customer_note: Type.Null(),
      place_count: Type.Number({ description: 'How many places are held.' }),
      state: Type.Literal('RESERVED'),
      formatedAddress: Nullable(Type.String()),
      messages: Type.Array(Type.String()),
      expiresAt: Moment,
    },
    { title: 'Hold' },
  ),
  appointments: Type.Array(
    Type.Object(
      {
        uuid: Uuid,
        kind: Kind,
        product_id: Uuid,
        product_name: Type.String(),
        resource_id: Uuid,
        from: Moment,
        to: Moment,
        state: Type.Literal('ACTIVE'),
        capacity: Type.Number(),
        capacity_left: Type.Number(),
        customers: Type.Array(
          Type.Object({
            customer_placeholder_id: Uuid,
            customer_uuid: Uuid,
            participationState: Type.Literal('RESERVED'),
            participation_id: Uuid,
          }),
        ),
      },
      { title: 'HeldAppointment' },
    ),
  ),
})

const CreatedAppointment = Type.Object(
  {
    appointment_uuid: Uuid,
    start: Type.String({ description: 'ISO 8601 with an offset, or in the format of timeFormat.' }),
    end: Type.String({ description: 'ISO 8601 with an offset, or in the format of timeFormat.' }),
    timeslot_uuid: Uuid,
    product_uuid: Uuid,
    product_name: Type.String(),
    products: Type.Array(ProductName),
    resource_uuid: Uuid,
    resource_name: Type.String(),
    contact_channel: ContactChannel,
    capacity: Type.Number(),
    capacity_left: Type.Number(),
    place_count: Type.Number({ description: 'How many places were booked.' }),
    kind: Kind,
    state: Type.Union([Type.Literal('BOOKED'), Type.Literal('REQUESTED')], {
      description: 'REQUESTED if the provider has to confirm it.',
    }),
    cancelLink: Url,
    cancelToken: Type.String({
      description: 'For the header X-SIGNED-APP-CUSTOMER of requests that show or cancel this booking.',
    }),
    moveLink: Url,
    moveToken: Type.String({
      description: 'For the header X-SIGNED-APP-CUSTOMER of requests that reschedule this booking.',
    }),
    confirmationLink: Url,
    answersMissing: Type.Boolean({
      description: 'Required questions have no answer yet; answersLink is the page to answer them.',
    }),
    answersLink: Nullable(Url),
  },
  { title: 'CreatedAppointment' },
)

export const CompleteReply = Wrapped({
  createdAppointment: CreatedAppointment,
  createdAppointments: Type.Optional(
    Type.Array(CreatedAppointment, { description: 'All dates, if placeholder_ids was sent.' }),
  ),
})

export const MoveReply = Wrapped({
  createdAppointment: CreatedAppointment,
  replaced: Type.Object(
    { appointment_uuid: Uuid, start: Moment, end: Moment },
    {
      title: 'ReplacedPlace',
      description:
        'The place that was released. If the move needs confirmation, it is kept until the provider decides.',
    },
  ),
})
