import type { ConsoleCaller, CrmCaller } from '../../callers.ts'
import type { Crm } from '../../db/setup/crms.ts'
import type { Route } from '../wire/route.ts'
import { crmInPath } from './subjects.ts'

type CrmCall = { caller: ConsoleCaller; found: Crm }

/** Offers an integrator route to logged-in people too, with the same handler. */
export function inConsole(route: Route): Route {
  const { operationId } = route
  return {
    ...route,
    path: `/console/api${route.path}`,
    operationId: `console${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    tag: 'Console',
    access: { kind: 'console', right: 'crm', whose: crmInPath },
    ...(route.prepare ? { prepare: async call => route.prepare!(asCrm(call)) } : {}),
    handle: async call => route.handle(asCrm(call)),
  }
}

function asCrm(call: unknown) {
  const { caller, found } = call as CrmCall
  const crmCaller: CrmCaller = { id: caller.id, crm: found, actor: caller.actor }
  return { ...(call as object), caller: crmCaller }
}
