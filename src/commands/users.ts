import { inviteAdministrator, inviteOperator, inviteStaff } from '../actions/console/login.ts'
import { logOutEverywhere, removeLogin } from '../actions/console/logins.ts'
import { resetTotp } from '../actions/console/second-factor.ts'
import { findConsoleUserByEmail, listLogins } from '../db/setup/console-users.ts'
import { StartError } from '../lib/start-error.ts'
import { commandLineActor } from '../rules/messages/events.ts'
import { isEmail } from '../rules/people/addresses.ts'
import { toUtcText } from '../rules/time/time.ts'
import type { Service } from '../service.ts'
import { type Command, jsonOption, print, table, withService } from './command.ts'

const userInvite: Command = {
  name: 'user invite',
  summary:
    'Prints a link that opens the console once, for an operator (email), an administrator of a CRM (email), or a User of a CRM (reference). Revokes their older links.',
  words: ['<email or reference>'],
  options: { crm: { type: 'string' }, administrator: { type: 'boolean' } },
  help: {
    crm: 'CRM whose User is invited as staff; without it, invites an operator by email',
    administrator: 'with --crm: invite an administrator of all its Providers, by email',
  },
  run: ({ words: [who = ''], values, config }) =>
    withService(config, async service => {
      const crm = values.crm === undefined ? null : String(values.crm)
      if (crm !== null && !values.administrator) return print(await inviteStaff(service, crm, who))
      if (values.administrator && crm === null) throw new StartError('Specify the CRM: --crm <name>.')
      if (!isEmail(who)) throw new StartError('Operators and administrators are invited by email address.')
      print(crm === null ? await inviteOperator(service, who) : await inviteAdministrator(service, crm, who))
    }),
}

const userList: Command = {
  name: 'user list',
  summary: 'Lists console logins.',
  options: { crm: { type: 'string' }, ...jsonOption.options },
  help: { crm: 'only logins of this CRM', ...jsonOption.help },
  run: ({ values, config }) =>
    withService(config, async ({ db }) => {
      const logins = (await listLogins(db, null)).filter(
        one => values.crm === undefined || one.crm === values.crm,
      )
      if (values.json) return print(JSON.stringify(logins.map(loginView)))
      if (logins.length === 0) return print('There is no login yet. Create one: holdfast user invite <email>')
      const rows = logins.map(one => [
        one.email,
        one.role,
        one.crm ?? '-',
        one.hasPassword ? (one.hasTotp ? 'password and code' : 'password') : 'link',
        String(one.sessions),
        one.lastLoginAt === null ? '-' : toUtcText(one.lastLoginAt).slice(0, 16),
      ])
      print(table([['EMAIL', 'ROLE', 'CRM', 'LOGS IN BY', 'SESSIONS', 'LAST LOGIN'], ...rows]))
    }),
}

type ListedLogin = Awaited<ReturnType<typeof listLogins>>[number]

const loginView = ({ email, role, crm, hasPassword, hasTotp, sessions, lastLoginAt }: ListedLogin) => ({
  email,
  role,
  crm,
  hasPassword,
  hasTotp,
  sessions,
  lastLoginAt: lastLoginAt === null ? null : toUtcText(lastLoginAt),
})

const userRemove: Command = {
  name: 'user remove',
  summary: 'Removes a login and ends its sessions.',
  words: ['<email>'],
  run: ({ words: [email = ''], config }) =>
    withService(config, async service => {
      await removeLogin(service, commandLineActor, await loginOf(service, email))
      print('Removed.')
    }),
}

const userLogout: Command = {
  name: 'user logout',
  summary: 'Ends all sessions of a login and revokes unused links.',
  words: ['<email>'],
  run: ({ words: [email = ''], config }) =>
    withService(config, async service => {
      const ended = await logOutEverywhere(service, await loginOf(service, email))
      print(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'}.`)
    }),
}

const userResetFactor: Command = {
  name: 'user reset-factor',
  summary: 'Removes a lost second factor from a login, and notifies its owner by email.',
  words: ['<email>'],
  run: ({ words: [email = ''], config }) =>
    withService(config, async service => {
      const login = await loginOf(service, email)
      if (!login.totpSecret) throw new StartError(`${email} has no second factor.`)
      await resetTotp(service, commandLineActor, login.id)
      print('Reset.')
    }),
}

async function loginOf({ db }: Service, email: string) {
  const login = await findConsoleUserByEmail(db, email)
  if (!login) throw new StartError(`There is no login ${email}. See holdfast user list.`)
  return login
}

export const userCommands: Command[] = [userInvite, userList, userRemove, userLogout, userResetFactor]
