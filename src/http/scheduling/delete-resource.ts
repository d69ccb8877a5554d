import Type from 'typebox'
import { deleteResource as remove } from '../../actions/scheduling/delete-resource.ts'
import { lockResourceRecord } from '../../actions/setup/lock-records.ts'
import { getResource } from '../setup/resources.ts'
import { crmRoutes } from '../wire/route.ts'

export const deleteResource = crmRoutes('B2. Resources')({
  method: 'DELETE',
  path: '/crms/:crmId/provider/:providerRef/resources/:resourceRef',
  operationId: 'deleteResource',
  summary: 'Delete Resource',
  description:
    'Cannot be undone. Refused while there are future Appointments, unless ignoreFutureAppointments is sent: then they are cancelled and archived, and all participants are notified.',
  query: {
    ignoreFutureAppointments: Type.Boolean({ default: false, description: 'Cancel future Appointments.' }),
  },
  ifMatch: { record: getResource, lock: lockResourceRecord },
  replies: { 204: null },
  errors: ['future-appointments'],
  handle: ({ params, query, context }) => remove(context, params.resourceRef, query.ignoreFutureAppointments),
})
