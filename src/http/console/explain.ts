import Type from 'typebox'
import { explainDay } from '../../actions/booking/explain-day.ts'
import { ChannelKeyQuery, ProductRef } from '../booking/booking-schemas.ts'
import { Moment, Text, Uuid } from '../wire/fields.ts'
import { answer, consoleRoute } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import { resourceOf } from './visible.ts'

const Line = Type.Object(
  {
    start: Moment,
    end: Moment,
    timeslot: Uuid,
    offered: Type.Boolean(),
    reason: Type.String(),
    text: Type.String(),
    appointment: Nullable(Type.String()),
    products: Type.Array(Type.String()),
  },
  { title: 'SlotExplanation' },
)

export const explainResource = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid/explain',
  operationId: 'explainResource',
  tag: 'Console',
  summary: 'Why is each slot of a day offered or not?',
  description: 'Each raster line of the day, with the reason for which it is on offer or is not.',
  query: {
    date: Type.String({ ...Text(10), format: 'date', description: 'The day, such as 2027-03-04.' }),
    channelKey: ChannelKeyQuery,
    prdRef: ProductRef,
  },
  replies: { 200: Type.Object({ timeZone: Type.String(), lines: Type.Array(Line) }) },
  errors: ['missing-field', 'not-found'],
  async handle({ params, query, caller, service }) {
    const resource = await resourceOf(service, caller, params.uuid)
    const { date, channelKey, prdRef = null } = query
    return answer(200, await explainDay(service, { resourceId: resource.id, channelKey, date, prdRef }))
  },
})
