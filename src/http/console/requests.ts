import Type from 'typebox'
import { countRequests } from '../../db/scheduling/requests.ts'
import { answer, consoleRoute } from '../wire/route.ts'
import { providerOf } from './visible.ts'

export const countProviderRequests = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/requests/count',
  operationId: 'countRequests',
  tag: 'Console',
  summary: 'How many requests wait for an answer?',
  description: 'Requests for Appointments that have not begun.',
  replies: { 200: Type.Object({ count: Type.Number() }, { title: 'RequestCount' }) },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const provider = await providerOf(service, caller, params.uuid)
    return answer(200, { count: await countRequests(service.db, provider.id) })
  },
})
