import Type from 'typebox'
import { deleteResource as remove } from '../../actions/scheduling/delete-resource.ts'
import { lockResourceRecord } from '../../actions/setup/lock-records.ts'
import { getResource } from '../setup/resources.ts'
import { crmRoute, noContent } from '../wire/route.ts'

export const deleteResource = crmRoute({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:providerRef/resources/:resourceRef',
  operationId: 'deleteResource',
  tag: 'B2. Resources',
  scope: 'scheduling',
  summary: 'Delete Resource',
  description:
    'Cannot be undone. Refused while there are future Appointments, unless ignoreFutureAppointments is sent: then they are cancelled and archived, and all participants are notified.',
  query: {
    ignoreFutureAppointments: Type.Boolean({ default: false, description: 'Cancel future Appointments.' }),
  },
  ifMatch: { record: getResource, lock: lockResourceRecord },
  replies: { 204: null },
  errors: ['future-appointments'],
  async handle({ params, query, context }) {
    await remove(context, params.resourceRef, query.ignoreFutureAppointments)
    return noContent()
  },
})
