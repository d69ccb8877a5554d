import { TOTP } from 'otpauth'
import { inviteOperator, logInByLink } from '../../../src/actions/console/login.ts'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import type { Recorder } from './recorder.ts'

type Places = { providerUuid: string }
type LogIn = (email: string) => Promise<string>

export async function newSession({ service }: TestService, email: string): Promise<string> {
  const link = await inviteOperator(service, email, 'Olga Operator')
  return (await logInByLink(service, link.split('/').at(-1)!, 'Firefox'))!
}

/** Logins, people, keys and the service itself. */
export async function manage(recorder: Recorder, { providerUuid }: Places, logIn: LogIn) {
  await myLogin(recorder, logIn)
  await people(recorder, { uuid: providerUuid })
  await integration(recorder)
  await recorder.call('getProviderAudit', { path: { uuid: providerUuid }, query: { limit: 1 } })
  await recorder.call('getCrmAudit', { path: { crmId: 'crm' }, query: { about: 'key', limit: 1 } })
  await operate(recorder)
}

async function myLogin(recorder: Recorder, logIn: LogIn) {
  const { call } = recorder
  const email = 'olga@example.org'
  const password = 'correct horse battery'
  await call('getWaysIn')
  await call('sendLoginLink', { body: { email } })
  recorder.session = await logIn(email)
  await call('updateMyLogin', { body: { name: 'Olga Operator', language: 'en' } })
  await call('setMyPassword', { body: { password } })
  await call('logIn', { body: { email, password } })
  const { secret } = await call('beginSecondFactor')
  const totp = new TOTP({ secret })
  const now = Date.now()
  const [first, second] = [totp.generate({ timestamp: now }), totp.generate({ timestamp: now + 30_000 })]
  await call('confirmSecondFactor', { body: { code: first } })
  await call('endSecondFactor', { body: { code: second } })
  const { sessions } = await call('listMySessions')
  const other = sessions.find((one: { isThis: boolean }) => !one.isThis)
  await call('endMySession', { path: { sessionUuid: other.uuid } })
  await call('endMyOtherSessions')
  await call('logOut')
  recorder.session = null
}

async function people({ call }: Recorder, provider: { uuid: string }) {
  const body = { email: 'berta@example.org', firstName: 'Berta', lastName: 'Berg' }
  const { people } = await call('invitePerson', { path: provider, body })
  await call('listPeople', { path: provider })
  const ben = { ...provider, userUuid: people.at(-1).uuid }
  await call('changePerson', { path: ben, body: { role: 'reception' } })
  await call('invitePersonAgain', { path: ben })
  await call('settlePersonDetails', { path: ben, body: { keep: true, mark: '1Xk8p0Rr4c2J9a7mQwZt5w' } })
  const owner = { ...provider, userUuid: people[0].uuid }
  await call('makeOwner', { path: ben })
  await call('makeOwner', { path: owner })
  await call('removePerson', { path: ben })
}

async function integration({ call, deliver }: Recorder) {
  const path = { crmId: 'crm' }
  const { key } = await call('createKey', { path, body: { label: 'Website', scopes: ['read'] } })
  await call('listKeys', { path })
  const { key: newer } = await call('rotateKey', {
    path: { ...path, keyUuid: key.uuid },
    body: { hours: 24 },
  })
  await call('revokeKey', { path: { ...path, keyUuid: newer.uuid } })
  await call('updateRetention', { path, body: { mailDays: 90, customerMonths: 24 } })
  await call('getRetention', { path })
  const body = { url: 'https://hooks.example.org/appointments' }
  const { webhook } = await call('consoleCreateWebhook', { path, body })
  const one = { ...path, webhookUuid: webhook.uuid }
  await call('consoleGetWebhooks', { path })
  await call('consoleGetWebhook', { path: one })
  await call('consoleUpdateWebhook', { path: one, body: { description: 'Our website' } })
  await call('consoleRotateWebhookSecret', { path: one })
  await call('consoleDeleteWebhook', { path: one })
  await deliveries({ call, deliver })
}

async function deliveries({ call, deliver }: Pick<Recorder, 'call' | 'deliver'>) {
  const path = { crmId: 'crm' }
  const { next } = await call('consoleGetEvents', {
    path,
    query: { limit: 2, kinds: ['customer.created'], wait: 5 },
  })
  await call('consoleGetRequestLog', { path, query: { limit: 1, route: 'events' } })
  const receiver = await startReceiver()
  try {
    const { webhook } = await call('consoleCreateWebhook', { path, body: { url: receiver.url } })
    const one = { ...path, webhookUuid: webhook.uuid }
    const { delivery } = await call('consoleTestWebhook', { path: one })
    await call('consoleGetWebhookDeliveries', { path: one })
    await call('consoleReplayWebhook', { path: one, body: { after: next } })
    // The first was the test event; the next is a real event that can be resent.
    await deliver(() => receiver.received.length > 1)
    const { deliveries } = await call('consoleGetWebhookDeliveries', { path: one })
    const event = deliveries.findLast((known: { id: number }) => known.id !== delivery.id)
    await call('consoleResendWebhookDelivery', { path: { ...one, deliveryId: String(event.id) } })
    await call('consoleDeleteWebhook', { path: one })
  } finally {
    await receiver.close()
  }
}

async function operate({ call }: Recorder) {
  await call('createCrm', { body: { name: 'northwind', language: 'en' } })
  await call('listCrms')
  const body = { email: 'ada@example.org', name: 'Ada', role: 'administrator', crm: 'northwind' }
  const { logins } = await call('inviteLogin', { body })
  await call('listLogins')
  const login = logins.find((one: { email: string }) => one.email === 'ada@example.org')
  await call('logOutLogin', { path: { loginUuid: login.uuid } })
  await call('resetSecondFactor', { path: { loginUuid: login.uuid } }, 404)
  await call('removeLogin', { path: { loginUuid: login.uuid } })
  await call('getServiceStatus')
  await call('listFailedJobs')
  await call('runJobAgain', { path: { jobId: '1' } }, 404)
}
