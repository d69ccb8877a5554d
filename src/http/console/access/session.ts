import Type from 'typebox'
import { type ConsoleCaller, roleAt } from '../../../callers.ts'
import { findConsoleUser } from '../../../db/setup/console-users.ts'
import { findMyProvider, listMyProviders, type MyProvider } from '../../../db/setup/providers.ts'
import { languages } from '../../../languages.ts'
import { type Right, type Role, rights, rightsOf } from '../../../rules/access.ts'
import { demoCrm } from '../../../rules/messages/email-delivery.ts'
import type { Service } from '../../../service.ts'
import { Choice, isUuid, Text } from '../../wire/fields.ts'
import { withEtag } from '../../wire/if-match.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'

const roles = ['operator', 'administrator', 'staff'] as const

const Rights = Type.Array(Choice(Object.keys(rights) as Right[]), {
  description: 'What the role allows: see docs/permissions.md.',
})

const Me = Type.Object(
  {
    uuid: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: Choice([...roles]),
    rights: Rights,
    crm: Nullable(Type.String({ description: 'The CRM that an administrator or staff member belongs to.' })),
    language: Choice([...languages]),
    hasPassword: Type.Boolean(),
    hasTotp: Type.Boolean({ description: 'Logging in with a password also requires a code.' }),
  },
  { title: 'ConsoleLogin' },
)

const MyProviderRecord = Type.Object(
  {
    uuid: Type.String(),
    reference: Type.String(),
    name: Type.String(),
    crm: Type.String(),
    isDemo: Type.Boolean({ description: 'Part of the demo data that a new service starts with.' }),
    timeZone: Type.String(),
    language: Choice([...languages]),
    role: Choice(Object.keys(rightsOf) as Role[]),
    rights: Rights,
    isSuspended: Type.Boolean({ description: 'The CRM is suspended: nothing can be booked or changed.' }),
  },
  { title: 'MyProvider' },
)

export const SessionAnswer = Type.Object(
  {
    me: Me,
    providers: Type.Array(MyProviderRecord),
    hasMailServer: Type.Boolean({
      description: 'If false, emails are kept in the console and not delivered.',
    }),
  },
  { title: 'ConsoleSession' },
)

export const getSession = consoleRoute({
  method: 'GET',
  path: '/console/api/session',
  operationId: 'getSession',
  access: { right: 'own-login', whose: 'login' },
  summary: 'Get the current login',
  description:
    'The login behind the session or token, and the Providers it can see, with its role at each: up to 1,000 by name, or 50 that `search` finds. The ETag covers name and language; `PATCH` accepts it as If-Match.',
  query: {
    search: Type.Optional({
      ...Text(200),
      description: 'Only Providers whose name, reference or CRM has words that begin like this.',
    }),
    provider: Type.Optional({
      ...Text(100),
      description: 'uuid of a Provider to include in any case, if it may be seen.',
    }),
  },
  replies: { 200: SessionAnswer },
  async handle({ caller, query, service, reply }) {
    const session = await sessionOf(service, caller, query)
    withEtag(reply, editable(session.me))
    return session
  },
})

/** Fields that people can change in their own login. */
export const editable = ({ name, language }: { name: string; language: string }) => ({ name, language })

export async function sessionOf(
  { db, config }: Service,
  caller: ConsoleCaller,
  { search, provider }: { search?: string; provider?: string } = {},
) {
  const ids = caller.roles && [...caller.roles.keys()]
  const [me, listed, wanted] = await Promise.all([
    caller.loginId === null ? null : findConsoleUser(db, caller.loginId),
    listMyProviders(db, ids, search),
    provider && isUuid(provider) ? findMyProvider(db, ids, provider) : null,
  ])
  const isListed = wanted === null || listed.some(one => one.uuid === wanted.uuid)
  const providers = isListed ? listed : [wanted, ...listed]
  return {
    me: {
      uuid: me?.uuid ?? 'token',
      name: me?.name ?? 'Token',
      email: me?.email ?? '',
      role: caller.role,
      rights: [...rightsOf[caller.role]],
      crm: me?.crm ?? null,
      language: me?.language ?? config.language,
      hasPassword: Boolean(me?.passwordHash),
      hasTotp: Boolean(me?.totpSecret),
    },
    providers: providers.map(one => asMine(one, caller)),
    hasMailServer: config.smtpUrl !== null,
  }
}

function asMine({ id, ...provider }: MyProvider, caller: ConsoleCaller) {
  const isDemo = provider.crm === demoCrm
  const role = roleAt(caller, id)!
  return { ...provider, isDemo, role, rights: [...rightsOf[role]] }
}
