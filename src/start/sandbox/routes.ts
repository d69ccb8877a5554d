import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { emptyDatabase } from '../../db/backup/tables.ts'
import { listMails } from '../../db/mail-list.ts'
import type { MailRow } from '../../db/mails.ts'
import { invalidField } from '../../errors.ts'
import { forgetKeys } from '../../http/wire/callers/auth.ts'
import { register } from '../../http/wire/register.ts'
import { publicRoutes, type Route } from '../../http/wire/route.ts'
import { clockNow } from '../../lib/clock.ts'
import { renderMessage } from '../../messages/render.ts'
import { parseInstant, toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { createDemo } from '../demo.ts'
import { ensureBootstrap } from '../open-service.ts'
import { resetClock, setClock } from './clock.ts'
import { addFailures, Failures } from './failures.ts'

// For integration tests: what a real service keeps to itself, on a database that was created for it.

const publicRoute = publicRoutes('Operations')

const about = { summary: 'Sandbox', description: 'See docs/sandbox.md.' } as const
const Clock = Type.Object({ now: Type.String() })
const shown = () => ({ now: toUtcText(clockNow()) })

const getClock = publicRoute({
  ...about,
  method: 'GET',
  path: '/sandbox/clock',
  operationId: 'getSandboxClock',
  replies: { 200: Clock },
  handle: async () => shown(),
})

const putClock = publicRoute({
  ...about,
  method: 'PUT',
  path: '/sandbox/clock',
  operationId: 'setSandboxClock',
  body: Type.Object({ now: Type.String({ maxLength: 64 }) }),
  replies: { 200: Clock },
  async handle({ service, body }) {
    const at = parseInstant(body.now, 'UTC')
    if (at === null) throw invalidField('now', 'date-time:clock')
    return moveClock(service, 'now', at)
  },
})

const amount = Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000_000 }))

const postClock = publicRoute({
  ...about,
  method: 'POST',
  path: '/sandbox/clock',
  operationId: 'advanceSandboxClock',
  body: Type.Object({ days: amount, hours: amount, minutes: amount, seconds: amount }),
  replies: { 200: Clock },
  async handle({ service, body: { days = 0, hours = 0, minutes = 0, seconds = 0 } }) {
    const by = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
    if (by <= 0) throw invalidField('days', 'clock-step')
    return moveClock(service, 'days', clockNow() + by)
  },
})

/** Beyond it, date-times of PostgreSQL and JSON differ in form. */
const earliest = Date.UTC(2000, 0, 1)
const latest = Date.UTC(2200, 0, 1)

async function moveClock(service: Service, field: string, at: number) {
  if (at < earliest || at > latest) throw invalidField(field, 'clock-range')
  await setClock(service, at)
  return shown()
}

const getEmails = publicRoute({
  ...about,
  method: 'GET',
  path: '/sandbox/emails',
  operationId: 'getSandboxEmails',
  query: {
    to: Type.Optional(Type.String({ maxLength: 254 })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  },
  replies: { 200: Type.Object({ emails: Type.Array(Type.Unknown()) }) },
  async handle({ service, query: { to, limit } }) {
    const mails = await listMails(service.db, { providerIds: null, to, limit })
    return { emails: mails.map(emailView) }
  },
})

function emailView(mail: MailRow) {
  const rendered = mail.recipient === null ? null : renderMessage(mail)
  return {
    kind: mail.kind,
    to: mail.recipient,
    language: mail.language,
    at: toUtcText(mail.createdAt),
    subject: rendered?.subject ?? null,
    text: rendered?.text ?? null,
    html: rendered?.html ?? null,
    links: [...new Set(rendered?.text.match(/https?:\/\/[^\s>]+/g) ?? [])],
  }
}

const failNext = (failures: Failures): Route =>
  publicRoute({
    ...about,
    method: 'POST',
    path: '/sandbox/fail-next',
    operationId: 'failNextSandboxRequest',
    body: Type.Object({
      path: Type.String({ minLength: 1, maxLength: 2000, pattern: '^/' }),
      method: Type.Optional(Type.String({ maxLength: 10 })),
      status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
      drop: Type.Optional(Type.Boolean()),
      delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
      times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    }),
    replies: { 200: Type.Object({ path: Type.String() }) },
    async handle({ body: { path, method, status, drop = false, delayMs = 0, times = 1 } }) {
      if (status === undefined && !drop && delayMs === 0) throw invalidField('status', 'no-fault')
      const wanted = { path, method: method?.toUpperCase() ?? null, status: status ?? null }
      failures.add({ ...wanted, isDropped: drop, delayMs, times })
      return { path }
    },
  })

const reset = (failures: Failures): Route =>
  publicRoute({
    ...about,
    method: 'POST',
    path: '/sandbox/reset',
    operationId: 'resetSandbox',
    replies: { 200: Type.Object({ lines: Type.Array(Type.String()) }) },
    async handle({ service }) {
      failures.clear()
      resetClock()
      await emptyDatabase(service.db)
      await ensureBootstrap(service)
      forgetKeys(service)
      return { lines: await createDemo(service) }
    },
  })

export async function addSandbox(app: FastifyInstance, service: Service) {
  const failures = new Failures()
  addFailures(app, failures)
  const routes = [getClock, putClock, postClock, getEmails, failNext(failures), reset(failures)]
  for (const route of routes) register(app, service, route)
}
