import Type from 'typebox'
import { explainDay } from '../../../actions/booking/explain-day.ts'
import { ChannelKeyQuery, ProductRef } from '../../booking/booking-schemas.ts'
import { Moment, Text, Uuid } from '../../wire/fields.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { resourceInPath } from '../subjects.ts'

const Line = Type.Object(
  {
    start: Moment,
    end: Moment,
    timeslot: Uuid,
    offered: Type.Boolean(),
    reason: Type.String(),
    text: Type.String(),
    offeredUntil: Nullable(Moment),
    appointment: Nullable(Type.String()),
    products: Type.Array(Type.String()),
  },
  { title: 'SlotExplanation' },
)

export const explainResource = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid/explain',
  operationId: 'explainResource',
  access: { right: 'book', whose: resourceInPath },
  summary: 'Explain the slots of a day',
  description: 'Explains, slot by slot, why a time is or is not offered.',
  query: {
    date: Type.String({ ...Text(10), format: 'date', description: 'Day, such as 2027-03-04.' }),
    channelKey: ChannelKeyQuery,
    prdRef: ProductRef,
  },
  replies: { 200: Type.Object({ timeZone: Type.String(), lines: Type.Array(Line) }) },
  errors: ['missing-field'],
  async handle({ query, service, found: resource }) {
    const { date, channelKey, prdRef = null } = query
    return explainDay(service, { resourceId: resource.id, channelKey, date, prdRef })
  },
})
