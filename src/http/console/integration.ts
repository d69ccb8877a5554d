import type { ConsoleCaller, CrmCaller } from '../../callers.ts'
import type { Crm } from '../../db/setup/crms.ts'
import * as deliveries from '../events/deliveries.ts'
import { getEvents } from '../events/events.ts'
import { getRequestLog } from '../events/request-log.ts'
import * as webhooks from '../events/webhooks.ts'
import type { Route } from '../wire/route.ts'
import { crmInPath } from './subjects.ts'

// Events and webhooks of a CRM, for its administrators.

export const consoleEvents = inConsole(getEvents)
export const consoleCreateWebhook = inConsole(webhooks.createWebhook)
export const consoleWebhooks = inConsole(webhooks.getWebhooks)
export const consoleWebhook = inConsole(webhooks.getWebhook)
export const consoleUpdateWebhook = inConsole(webhooks.updateWebhook)
export const consoleDeleteWebhook = inConsole(webhooks.deleteWebhook)
export const consoleRotateWebhook = inConsole(webhooks.rotateWebhook)
export const consoleTestWebhook = inConsole(deliveries.testWebhook)
export const consoleDeliveries = inConsole(deliveries.getDeliveries)
export const consoleResendDelivery = inConsole(deliveries.resendDelivery)
export const consoleRequestLog = inConsole(getRequestLog)
export const consoleReplayWebhook = inConsole(deliveries.replayWebhook)

type CrmCall = { caller: ConsoleCaller; found: Crm }

/** Offers an integrator route to logged-in people too, with the same handler. */
function inConsole(route: Route): Route {
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
