import Type from 'typebox'
import type { ConsoleCaller } from '../../../callers.ts'
import { findConsoleUser } from '../../../db/setup/console-users.ts'
import { listMyProviders, type MyProvider } from '../../../db/setup/my-providers.ts'
import { languages } from '../../../languages.ts'
import type { Service } from '../../../service.ts'
import { Choice } from '../../wire/fields.ts'
import { answer, consoleRoute } from '../../wire/route.ts'
import { tagged } from '../../wire/unchanged.ts'
import { Nullable } from '../../wire/wrapper.ts'

const roles = ['operator', 'administrator', 'staff'] as const

const Me = Type.Object(
  {
    uuid: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: Choice([...roles]),
    crm: Nullable(Type.String({ description: 'The CRM that an administrator or staff member belongs to.' })),
    language: Choice([...languages]),
    hasPassword: Type.Boolean(),
    hasTotp: Type.Boolean({ description: 'A second factor is asked for at the login with a password.' }),
  },
  { title: 'ConsoleLogin' },
)

const MyProviderRecord = Type.Object(
  {
    uuid: Type.String(),
    reference: Type.String(),
    name: Type.String(),
    crm: Type.String(),
    timeZone: Type.String(),
    language: Choice([...languages]),
    role: Choice(['staff', 'owner', 'administrator', 'operator']),
  },
  { title: 'MyProvider' },
)

export const SessionAnswer = Type.Object(
  { me: Me, providers: Type.Array(MyProviderRecord) },
  { title: 'ConsoleSession' },
)

export const getSession = consoleRoute({
  method: 'GET',
  path: '/console/api/session',
  operationId: 'getSession',
  tag: 'Console',
  summary: 'Who am I, and for whom may I work?',
  description:
    'The login behind the session or token, and the Providers it sees, each with the role it has there. With an ETag of name and language, which `PATCH` takes as If-Match.',
  replies: { 200: SessionAnswer },
  async handle({ caller, service, reply }) {
    const session = await sessionOf(service, caller)
    tagged(reply, editable(session.me))
    return answer(200, session)
  },
})

/** What people change of their own login. */
export const editable = ({ name, language }: { name: string; language: string }) => ({ name, language })

export async function sessionOf({ db, config }: Service, caller: ConsoleCaller) {
  const [me, providers] = await Promise.all([
    caller.loginId === null ? null : findConsoleUser(db, caller.loginId),
    listMyProviders(db, caller.providerIds),
  ])
  return {
    me: {
      uuid: me?.uuid ?? 'token',
      name: me?.name ?? 'Token',
      email: me?.email ?? '',
      role: caller.role,
      crm: me?.crm ?? null,
      language: me?.language ?? config.language,
      hasPassword: Boolean(me?.passwordHash),
      hasTotp: Boolean(me?.totpSecret),
    },
    providers: providers.map(one => asMine(one, caller)),
  }
}

function asMine({ id, ...provider }: MyProvider, { role, ownedIds }: ConsoleCaller) {
  return { ...provider, role: role === 'staff' && ownedIds.includes(id) ? ('owner' as const) : role }
}
