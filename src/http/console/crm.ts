import type { ConsoleCaller, CrmCaller } from '../../callers.ts'
import { type Crm, findCrm } from '../../db/setup/crms.ts'
import { notFound } from '../../errors.ts'
import type { Service } from '../../service.ts'
import type { Route } from '../wire/route.ts'

/** CRM-wide data is for its administrators and operators; others get 404. */
export async function crmOf(service: Service, caller: ConsoleCaller, name: string): Promise<Crm> {
  const crm = caller.role === 'staff' ? null : await findCrm(service.db, name)
  if (!crm || (caller.role !== 'operator' && caller.crmId !== crm.id)) throw notFound('CRM', name)
  return crm
}

type CrmCall = { params: { crmId: string }; service: Service; caller: ConsoleCaller }

/** Offers an integrator route to logged-in people too, with the same handler. */
export function inConsole(route: Route): Route {
  const { operationId } = route
  return {
    ...route,
    path: `/console/api${route.path}`,
    operationId: `console${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    tag: 'Console',
    access: { kind: 'console' },
    errors: [...new Set([...route.errors, 'not-found' as const])],
    ...(route.prepare ? { prepare: async call => route.prepare!(await asCrm(call)) } : {}),
    handle: async call => route.handle(await asCrm(call)),
  }
}

async function asCrm(call: unknown) {
  const { params, service, caller } = call as CrmCall
  const crm = await crmOf(service, caller, params.crmId)
  const crmCaller: CrmCaller = { id: caller.id, crm, actor: caller.actor }
  return { ...(call as object), caller: crmCaller }
}
