import * as deliveries from '../events/deliveries.ts'
import { getEvents } from '../events/events.ts'
import * as webhooks from '../events/webhooks.ts'
import { inConsole } from './crm.ts'

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
export const consoleReplayWebhook = inConsole(deliveries.replayWebhook)
