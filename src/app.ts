// Builds the server and lists every route. Listening is in src/start/serve.ts.

import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import * as bookables from './http/booking/bookables.ts'
import * as bundle from './http/booking/bundle.ts'
import { completeBooking } from './http/booking/complete.ts'
import { correctEmail } from './http/booking/correct-email.ts'
import { moveAppointment } from './http/booking/move.ts'
import * as publicData from './http/booking/public-data.ts'
import { reserveAppointment, revokeReservation } from './http/booking/reserve.ts'
import { reserveSeries } from './http/booking/reserve-series.ts'
import { sendLinks } from './http/booking/send-links.ts'
import { joinWaitingList } from './http/booking/waiting-list.ts'
import * as widget from './http/booking/widget.ts'
import * as consoleKeys from './http/console/access/keys.ts'
import * as consoleLogin from './http/console/access/login.ts'
import * as logins from './http/console/access/logins.ts'
import * as me from './http/console/access/me.ts'
import * as session from './http/console/access/session.ts'
import * as consoleAppointments from './http/console/appointments/appointments.ts'
import { getFreeTimes } from './http/console/appointments/free-times.ts'
import * as consoleParticipations from './http/console/appointments/participations.ts'
import * as requests from './http/console/appointments/requests.ts'
import * as consoleSeries from './http/console/appointments/series.ts'
import * as consoleWaiting from './http/console/appointments/waiting-list.ts'
import { bookWalkIn } from './http/console/appointments/walk-ins.ts'
import * as calendar from './http/console/calendar/calendar.ts'
import * as consoleCalendarSources from './http/console/calendar/calendar-sources.ts'
import * as consoleCalendars from './http/console/calendar/calendars.ts'
import * as diary from './http/console/calendar/diary.ts'
import { findCustomerMatches } from './http/console/customers/customer-matches.ts'
import * as consoleCustomers from './http/console/customers/customers.ts'
import * as consoleDuplicates from './http/console/customers/duplicates.ts'
import * as imports from './http/console/customers/imports.ts'
import * as consoleMerges from './http/console/customers/merges.ts'
import * as history from './http/console/history.ts'
import * as consoleAbsences from './http/console/hours/absences.ts'
import * as blocks from './http/console/hours/blocks.ts'
import * as closures from './http/console/hours/closures.ts'
import { explainResource } from './http/console/hours/explain.ts'
import * as holidays from './http/console/hours/holidays.ts'
import * as hours from './http/console/hours/hours.ts'
import * as consoleTimeslots from './http/console/hours/timeslots.ts'
import * as integration from './http/console/integration.ts'
import * as mails from './http/console/mails.ts'
import * as operator from './http/console/operator.ts'
import { getAnswerReportForStaff, getBookingReportForStaff } from './http/console/reports.ts'
import * as consoleRetention from './http/console/retention.ts'
import * as contacts from './http/console/setup/contacts.ts'
import * as emailTexts from './http/console/setup/email-texts.ts'
import * as people from './http/console/setup/people.ts'
import * as consoleProducts from './http/console/setup/products.ts'
import { updateProvider } from './http/console/setup/provider-by-reference.ts'
import * as consoleQuestions from './http/console/setup/questions.ts'
import * as consoleResources from './http/console/setup/resources.ts'
import * as settings from './http/console/setup/settings.ts'
import * as deliveries from './http/events/deliveries.ts'
import { getEvents } from './http/events/events.ts'
import { getRequestLog } from './http/events/request-log.ts'
import * as webhooks from './http/events/webhooks.ts'
import { addMcp } from './http/mcp/mcp.ts'
import * as absences from './http/scheduling/absences.ts'
import { getAppointments } from './http/scheduling/appointment-list.ts'
import * as appointments from './http/scheduling/appointments.ts'
import * as calendarSources from './http/scheduling/calendar-sources.ts'
import * as calendars from './http/scheduling/calendars.ts'
import * as customers from './http/scheduling/customers.ts'
import { deleteResource } from './http/scheduling/delete-resource.ts'
import * as duplicates from './http/scheduling/duplicates.ts'
import { getProviderFreeTimes } from './http/scheduling/free-times.ts'
import * as merges from './http/scheduling/merges.ts'
import * as participations from './http/scheduling/participations.ts'
import { getAnswerReport, getBookingReport, getBookingReportCsv } from './http/scheduling/reports.ts'
import * as series from './http/scheduling/series.ts'
import * as timeslots from './http/scheduling/timeslots.ts'
import * as upserts from './http/scheduling/upserts.ts'
import * as waiting from './http/scheduling/waiting-list.ts'
import * as accounts from './http/setup/accounts.ts'
import * as products from './http/setup/products.ts'
import * as profiles from './http/setup/profiles.ts'
import * as providers from './http/setup/providers.ts'
import * as questions from './http/setup/questions.ts'
import * as resources from './http/setup/resources.ts'
import * as users from './http/setup/users.ts'
import { refuseEarly } from './http/wire/callers/overload.ts'
import { addDocs } from './http/wire/docs/docs.ts'
import type { Documented } from './http/wire/docs/openapi.ts'
import { addEarlyResponses } from './http/wire/early/early-responses.ts'
import { operationsRoutes } from './http/wire/ops/ops.ts'
import { register } from './http/wire/register.ts'
import { ignoreBodies } from './http/wire/requests/json.ts'
import type { Route } from './http/wire/route.ts'
import { addCors, addPreflight, redirectToCanonicalHost } from './http/wire/server/origins.ts'
import { makeServer } from './http/wire/server/server.ts'
import { sendUnknown, wantsPage } from './pages/error-pages.ts'
import { addPages } from './pages/index.ts'
import type { Service } from './service.ts'
import { addSandbox } from './start/sandbox/routes.ts'

/** Groups A and B, for integrators. Served under both prefixes. */
const crmRoutes: Route[] = [
  users.getUsers,
  users.getUser,
  users.updateUser,
  users.deleteUser,
  accounts.createAccount,
  accounts.getAccounts,
  accounts.getAccount,
  accounts.updateAccount,
  accounts.deleteAccount,
  providers.createProvider,
  providers.getProviders,
  providers.getProvider,
  updateProvider,
  providers.deleteProvider,
  providers.listStaff,
  providers.addStaff,
  providers.removeStaff,
  products.createProduct,
  products.getProducts,
  products.getProduct,
  products.updateProduct,
  products.deleteProduct,
  questions.getQuestions,
  questions.getQuestion,
  questions.createQuestion,
  questions.updateQuestion,
  questions.deleteQuestion,
  resources.createResource,
  resources.updateResource,
  resources.getResources,
  resources.getResource,
  deleteResource,
  profiles.getGeneralProfile,
  profiles.updateGeneralProfile,
  profiles.getProviderProfile,
  profiles.saveProviderProfile,
  timeslots.createTimeslots,
  timeslots.getTimeslots,
  timeslots.getProviderTimeslots,
  timeslots.getTimeslot,
  timeslots.updateTimeslot,
  timeslots.deleteTimeslot,
  getAppointments,
  appointments.getAppointment,
  appointments.createAppointments,
  appointments.deleteAppointments,
  appointments.cancelAppointment,
  appointments.moveAppointment,
  getProviderFreeTimes,
  getBookingReport,
  getBookingReportCsv,
  getAnswerReport,
  absences.previewAbsence,
  absences.settleAbsenceOf,
  appointments.messageAppointment,
  series.previewSeries,
  series.bookSeries,
  series.getSeries,
  series.cancelSeries,
  series.previewSeriesMove,
  series.moveSeries,
  calendars.createCalendar,
  calendars.getCalendars,
  calendars.deleteCalendar,
  calendarSources.getCalendarSources,
  calendarSources.getCalendarSource,
  consoleCalendarSources.createCalendarSource,
  consoleCalendarSources.updateCalendarSource,
  consoleCalendarSources.deleteCalendarSource,
  consoleCalendarSources.refreshCalendarSource,
  consoleCalendarSources.rewriteCalendarSource,
  consoleCalendarSources.testCalendarSource,
  consoleCalendarSources.testKnownCalendarSource,
  participations.getParticipation,
  participations.createParticipation,
  participations.updateParticipation,
  participations.setAttendance,
  customers.getCustomers,
  customers.getCustomer,
  customers.createCustomer,
  customers.updateCustomer,
  customers.deleteCustomer,
  upserts.upsertCustomers,
  upserts.upsertTimeslots,
  merges.mergeCustomer,
  merges.getMerges,
  merges.undoMerge,
  duplicates.getDuplicates,
  duplicates.setDistinct,
  duplicates.unsetDistinct,
  waiting.getWaitingList,
  waiting.addToWaitingList,
  waiting.getWaitingEntry,
  waiting.updateWaitingEntry,
  waiting.removeFromWaitingList,
  waiting.offerWaitingTime,
  getEvents,
  webhooks.createWebhook,
  webhooks.getWebhooks,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.rotateWebhook,
  deliveries.testWebhook,
  deliveries.getDeliveries,
  deliveries.resendDelivery,
  deliveries.replayWebhook,
  getRequestLog,
]

/** Reads the language from a cookie; no other route of groups A and B uses cookies. */
const crmRoutesWithCookies: Route[] = [users.createUser]

/** For the web console and for operators' scripts. */
const consoleRoutes: Route[] = [
  session.getSession,
  consoleLogin.getWaysIn,
  consoleLogin.sendLoginLink,
  consoleLogin.logIn,
  consoleLogin.logOut,
  me.patchMe,
  me.putPassword,
  me.postTotp,
  me.confirmTotpRoute,
  me.endTotpRoute,
  me.getSessions,
  me.deleteSessions,
  me.deleteOneSession,
  people.getPeople,
  people.postPerson,
  people.invitePersonAgain,
  people.settlePersonDetails,
  people.makeOwner,
  people.changePerson,
  people.deletePerson,
  logins.getLogins,
  logins.postLogin,
  logins.logOutLogin,
  logins.deleteLogin,
  logins.resetLoginFactor,
  consoleKeys.getKeys,
  consoleKeys.postKey,
  consoleKeys.rotateKey,
  consoleKeys.deleteKey,
  consoleRetention.getRetention,
  consoleRetention.patchRetention,
  integration.consoleEvents,
  integration.consoleCreateWebhook,
  integration.consoleWebhooks,
  integration.consoleWebhook,
  integration.consoleUpdateWebhook,
  integration.consoleDeleteWebhook,
  integration.consoleRotateWebhook,
  integration.consoleTestWebhook,
  integration.consoleDeliveries,
  integration.consoleResendDelivery,
  integration.consoleReplayWebhook,
  integration.consoleRequestLog,
  history.getProviderAudit,
  history.getCrmAudit,
  operator.getOperator,
  operator.getJobs,
  operator.postJobRun,
  operator.getCrms,
  operator.postCrm,
  diary.getDiary,
  calendar.getCalendar,
  calendar.getChanges,
  bookWalkIn,
  consoleSeries.previewConsoleSeries,
  consoleSeries.bookConsoleSeries,
  consoleSeries.cancelConsoleSeries,
  consoleSeries.previewConsoleSeriesMove,
  consoleSeries.moveConsoleSeries,
  consoleSeries.deleteConsoleSeries,
  consoleAppointments.getAppointmentPage,
  consoleAppointments.patchAppointment,
  consoleAppointments.cancelConsoleAppointment,
  consoleAppointments.moveConsoleAppointment,
  consoleAppointments.swapConsoleAppointments,
  consoleAppointments.restoreConsoleAppointment,
  consoleAppointments.deleteConsoleAppointment,
  consoleAppointments.addParticipant,
  consoleAppointments.messageParticipants,
  consoleAppointments.markParticipants,
  consoleTimeslots.openTime,
  consoleTimeslots.shiftTime,
  consoleTimeslots.closeTime,
  requests.getRequests,
  requests.countProviderRequests,
  consoleParticipations.decideParticipation,
  consoleParticipations.setAttendance,
  consoleParticipations.changeParticipationPlaces,
  consoleCustomers.findCustomers,
  consoleCustomers.addCustomer,
  consoleCustomers.listTags,
  consoleDuplicates.findConsoleDuplicates,
  consoleDuplicates.markConsoleDistinct,
  consoleDuplicates.unmarkConsoleDistinct,
  consoleCustomers.getCustomerPage,
  consoleCustomers.patchCustomer,
  consoleCustomers.sendCustomerList,
  consoleCustomers.previewErasure,
  consoleCustomers.eraseCustomerPage,
  imports.uploadImport,
  imports.listImports,
  imports.getImport,
  imports.getImportProblems,
  imports.checkImportPage,
  imports.runImport,
  imports.undoImportPage,
  imports.discardImportPage,
  consoleMerges.mergeCustomerPage,
  consoleMerges.getMergesOfPage,
  consoleMerges.undoMergeOfPage,
  settings.getProviders,
  settings.addProvider,
  settings.getProviderSettings,
  settings.patchProvider,
  settings.putLogo,
  consoleProducts.listProviderProducts,
  consoleProducts.addProduct,
  consoleProducts.getProductSettings,
  consoleProducts.patchProduct,
  consoleProducts.previewProductDeletion,
  consoleProducts.removeProduct,
  consoleQuestions.listProviderQuestions,
  consoleQuestions.addQuestion,
  consoleQuestions.patchQuestion,
  consoleQuestions.removeQuestion,
  consoleQuestions.orderQuestions,
  consoleQuestions.putAnswers,
  consoleResources.listProviderResources,
  consoleResources.addResource,
  consoleResources.getResourceSettings,
  consoleResources.updateResourceSettings,
  consoleResources.previewDeletion,
  consoleResources.removeResource,
  contacts.getContacts,
  contacts.saveProfile,
  contacts.getProfile,
  contacts.patchProfile,
  contacts.deleteProfile,
  settings.getBookingSettings,
  settings.patchBookingSettings,
  settings.getChannels,
  settings.patchChannels,
  settings.getChannel,
  settings.patchChannel,
  history.getAudit,
  mails.getMails,
  mails.getMail,
  mails.resendMail,
  emailTexts.getAllEmailTexts,
  emailTexts.getEmailTexts,
  emailTexts.patchEmailTexts,
  emailTexts.previewEmailText,
  explainResource,
  getFreeTimes,
  getBookingReportForStaff,
  getAnswerReportForStaff,
  consoleAbsences.previewConsoleAbsence,
  consoleAbsences.settleConsoleAbsence,
  findCustomerMatches,
  hours.getHours,
  hours.putHours,
  hours.getAllHours,
  hours.putAllHours,
  hours.previewHours,
  closures.getClosures,
  closures.postClosure,
  closures.getClosure,
  closures.patchClosure,
  closures.deleteProviderClosure,
  holidays.previewHolidays,
  holidays.postHolidays,
  holidays.getHolidayRegions,
  blocks.getBlocks,
  blocks.postBlock,
  blocks.deleteBlock,
  consoleCalendars.getProviderCalendars,
  consoleCalendars.createProviderCalendar,
  consoleCalendars.deleteProviderCalendar,
  consoleCalendarSources.listCalendarSources,
  consoleCalendarSources.connectCalendarSource,
  consoleCalendarSources.changeCalendarSource,
  consoleCalendarSources.removeCalendarSource,
  consoleCalendarSources.refreshCalendarSourceNow,
  consoleCalendarSources.rewriteCalendarSourceNow,
  consoleCalendarSources.tryCalendarSource,
  consoleCalendarSources.tryKnownCalendarSource,
  consoleWaiting.getConsoleWaitingList,
  consoleWaiting.addConsoleWaiting,
  consoleWaiting.patchConsoleWaiting,
  consoleWaiting.endConsoleWaiting,
  consoleWaiting.offerConsoleWaiting,
  consoleWaiting.countConsoleWaiting,
]

/** Group C, reads for consumers and their widgets. Any request body is ignored. */
const consumerQuestions: Route[] = [
  bookables.listBookables,
  bookables.listBookablesByPost,
  bundle.getBundle,
  bundle.getBundleByPost,
  publicData.activeProducts,
  publicData.publicData,
  publicData.specificProducts,
  publicData.bookingConfig,
  widget.specificBookables,
  widget.identify,
  widget.cancelableBookable,
]

/** Group C, writes. */
const consumerActions: Route[] = [
  reserveAppointment,
  reserveSeries,
  completeBooking,
  moveAppointment,
  revokeReservation,
  widget.cancelBooking,
  correctEmail,
  sendLinks,
  joinWaitingList,
]

const olderPrefix = '/rest/1'

const refusablePaths = consumerActions
  .filter(route => route.isShedUnderLoad)
  .flatMap(({ path }) => [path, olderPrefix + path])

/** Health endpoints for a process that serves no other requests. */
export function buildWatch(service: Service): FastifyInstance {
  const app = makeServer(service, { isWanted: wantsPage, send: sendUnknown })
  for (const route of operationsRoutes(service)) register(app, service, route)
  return app
}

export async function buildApp(service: Service): Promise<FastifyInstance> {
  const app = makeServer(service, { isWanted: wantsPage, send: sendUnknown })
  // Requests that wait for events would delay the shutdown.
  app.addHook('preClose', async () => service.eventListener.stop())
  await service.suspensions.start()
  app.addHook('onClose', async () => service.suspensions.stop())
  app.addHook('onClose', () => service.requestLog.flush())
  redirectToCanonicalHost(app, service.baseUrl)
  const operations = operationsRoutes(service)
  await addDocs(app, documented(operations), service.baseUrl)
  for (const route of operations) register(app, service, route)
  registerTwice(app, service, crmRoutes)
  await app.register(async scope => addRoutesWithCookies(scope, service))
  await app.register(async scope => addConsumerRoutes(scope, service))
  await addMcp(app, service)
  refuseEarly(app, service, refusablePaths)
  if (service.config.sandbox) await addSandbox(app, service)
  // They would bypass the failures that a sandbox is asked for.
  else addEarlyResponses(app, service)
  return app
}

async function addRoutesWithCookies(app: FastifyInstance, service: Service) {
  await app.register(cookie)
  registerTwice(app, service, crmRoutesWithCookies)
  for (const route of consoleRoutes) register(app, service, route)
  await app.register(async scope => addPages(scope, service))
}

async function addConsumerRoutes(app: FastifyInstance, service: Service) {
  addCors(app)
  const paths = [...consumerQuestions, ...consumerActions].map(route => route.path)
  addPreflight(
    app,
    paths.flatMap(path => [path, olderPrefix + path]),
  )
  registerTwice(app, service, consumerActions)
  await app.register(async scope => {
    ignoreBodies(scope)
    registerTwice(scope, service, consumerQuestions)
  })
}

/** Registers under the plain path and under the older prefix. */
function registerTwice(app: FastifyInstance, service: Service, routes: Route[]) {
  for (const route of routes) {
    register(app, service, route)
    register(app, service, route, olderPrefix)
  }
}

/** Each route once, under its most common address. */
function documented(operations: Route[]): Documented[] {
  const routes = [
    ...crmRoutesWithCookies,
    ...crmRoutes,
    ...consumerQuestions,
    ...consumerActions,
    ...consoleRoutes,
    ...operations,
  ]
  return routes.map(route => ({
    route,
    path: route === reserveAppointment ? olderPrefix + route.path : route.path,
  }))
}
