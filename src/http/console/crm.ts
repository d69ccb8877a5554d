import type { ConsoleCaller, CrmCaller } from '../../callers.ts'
import { type Crm, findCrm } from '../../db/setup/crms.ts'
import { notFound } from '../../errors.ts'
import type { Service } from '../../service.ts'
import type { Route } from '../wire/route.ts'

/** What belongs to a CRM at large is its administrators' and the operators' business; for others it is not there. */
export async function crmOf(service: Service, caller: ConsoleCaller, name: string): Promise<Crm> {
  const crm = caller.role === 'staff' ? null : await findCrm(service.db, name)
  if (!crm || (caller.role !== 'operator' && caller.crmId !== crm.id)) throw notFound('CRM', name)
  return crm
}

type CrmCall = { params: { crmId: string }; service: Service; caller: ConsoleCaller }

/** The same route for people who are logged in, where integrators have it with their key: one handler, two doors. */
export function inConsole(route: Route): Route {
  const { operationId } = route
  return {
    ...route,
    path: `/console/api${route.path}`,
    operationId: `console${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    tag: 'Console',
    access: { kind: 'console' },
    errors: [...new Set([...route.errors, 'not-found' as const])],
    async handle(call) {
      const { params, service, caller } = call as CrmCall
      const crm = await crmOf(service, caller, params.crmId)
      const asCrm: CrmCaller = { id: caller.id, crm, actor: caller.actor }
      return route.handle({ ...(call as object), caller: asCrm })
    },
  }
}
