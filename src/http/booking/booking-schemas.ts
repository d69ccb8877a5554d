import Type from 'typebox'
import { channelKeys } from '../../rules/channels.ts'
import { Nullable, Wrapped } from '../wire/wrapper.ts'

/** Query parameters that the consumer calls share. */
export const ChannelKeyQuery = Type.Enum([...channelKeys], { default: 'RESOURCE_PUBLIC' })
export const Refs = Type.Array(Type.String(), { default: [] })

export const ContactChannel = Nullable(Type.Object({ type: Type.String(), value: Type.String() }))
const ProductName = Type.Object({ uuid: Type.String(), name: Type.String() })

export const BookableRecord = Type.Object(
  {
    start: Type.String(),
    end: Type.String(),
    formattedStart: Type.String(),
    formattedEnd: Type.String(),
    timeslot_uuid: Type.String(),
    appointment_uuid: Type.Optional(Type.String()),
    product_uuid: Nullable(Type.String()),
    product_name: Type.String(),
    products: Type.Array(ProductName),
    resource_uuid: Type.String(),
    resource_name: Type.String(),
    contact_channel: ContactChannel,
    price: Type.Optional(Type.Object({ value: Type.Number(), currency: Type.String() })),
    capacity: Type.Number(),
    capacity_left: Type.Number(),
    kind: Type.Enum(['models.Bookable', 'models.LotAppointment']),
  },
  { title: 'Bookable' },
)

export const BookableGroups = Type.Object(
  { public_visible: Type.Boolean() },
  { title: 'Bookables', additionalProperties: Type.Array(BookableRecord) },
)

export const ReserveReply = Wrapped({
  participation: Type.Object({
    uuid: Type.String(),
    appointment_uuid: Type.String(),
    timeslot_uuid: Type.String(),
    resource_uuid: Type.String(),
    product_uuid: Type.String(),
    from: Type.String(),
    to: Type.String(),
    appointment_capacity: Type.Number(),
    appointment_capacity_left: Type.Number(),
    customer_uuid: Type.String({ description: 'Send it as placeholder_id when completing.' }),
    customer_mobile: Type.Null(),
    customer_fullName: Type.Null(),
    customer_email: Type.Null(),
    customer_note: Type.Null(),
    state: Type.Literal('RESERVED'),
    formatedAddress: Nullable(Type.String()),
    messages: Type.Array(Type.String()),
    expiresAt: Type.String(),
  }),
  appointments: Type.Array(
    Type.Object({
      uuid: Type.String(),
      kind: Type.String(),
      product_id: Type.String(),
      product_name: Type.String(),
      resource_id: Type.String(),
      from: Type.String(),
      to: Type.String(),
      state: Type.String(),
      capacity: Type.Number(),
      capacity_left: Type.Number(),
      customers: Type.Array(
        Type.Object({
          customer_placeholder_id: Type.String(),
          customer_uuid: Type.String(),
          participationState: Type.String(),
          participation_id: Type.String(),
        }),
      ),
    }),
  ),
})

export const CompleteReply = Wrapped({
  createdAppointment: Type.Object({
    appointment_uuid: Type.String(),
    start: Type.String(),
    end: Type.String(),
    timeslot_uuid: Type.String(),
    product_uuid: Type.String(),
    product_name: Type.String(),
    products: Type.Array(ProductName),
    resource_uuid: Type.String(),
    resource_name: Type.String(),
    contact_channel: ContactChannel,
    capacity: Type.Number(),
    capacity_left: Type.Number(),
    kind: Type.String(),
    cancelLink: Type.String(),
  }),
})
