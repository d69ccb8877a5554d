import { inviteAdministrator, inviteOperator, inviteStaff } from '../actions/console/login.ts'
import { logOutEverywhere, removeLogin } from '../actions/console/logins.ts'
import { findConsoleUserByEmail, listLogins } from '../db/setup/console-users.ts'
import { StartError } from '../lib/start-error.ts'
import { theCommandLine } from '../rules/news/events.ts'
import { isEmail } from '../rules/people/emails.ts'
import { toUtcText } from '../rules/time/time.ts'
import type { Service } from '../service.ts'
import { type Command, forMachines, say, table, withService } from './command.ts'

// Who may open the console.

const userInvite: Command = {
  name: 'user invite',
  summary:
    'Prints a link that opens the console once: for an operator (email), an administrator of a CRM (email), or a User of a CRM (reference). Older links of theirs end.',
  words: ['<email or reference>'],
  options: { crm: { type: 'string' }, administrator: { type: 'boolean' } },
  help: {
    crm: 'the CRM whose User is invited as staff; without it: an operator, by email',
    administrator: 'with --crm: somebody who looks after all its Providers, by email',
  },
  run: ({ words: [who = ''], values, config }) =>
    withService(config, async service => {
      const crm = values.crm === undefined ? null : String(values.crm)
      if (crm !== null && !values.administrator) return say(await inviteStaff(service, crm, who))
      if (values.administrator && crm === null) throw new StartError('Name the CRM: --crm <name>.')
      if (!isEmail(who)) throw new StartError('Operators and administrators are invited by email address.')
      say(crm === null ? await inviteOperator(service, who) : await inviteAdministrator(service, crm, who))
    }),
}

const userList: Command = {
  name: 'user list',
  summary: 'Lists who has a login for the console.',
  options: { crm: { type: 'string' }, ...forMachines.options },
  help: { crm: 'only logins of this CRM', ...forMachines.help },
  run: ({ values, config }) =>
    withService(config, async ({ db }) => {
      const logins = (await listLogins(db, null)).filter(
        one => values.crm === undefined || one.crm === values.crm,
      )
      if (values.json) return say(JSON.stringify(logins.map(toldLogin)))
      if (logins.length === 0) return say('There is no login yet. Make one: holdfast user invite <email>')
      const rows = logins.map(one => [
        one.email,
        one.role,
        one.crm ?? '-',
        one.hasPassword ? (one.hasTotp ? 'password and code' : 'password') : 'link',
        String(one.sessions),
        one.lastLoginAt === null ? '-' : toUtcText(one.lastLoginAt).slice(0, 16),
      ])
      say(table([['EMAIL', 'ROLE', 'CRM', 'LOGS IN BY', 'SESSIONS', 'LAST LOGIN'], ...rows]))
    }),
}

type ListedLogin = Awaited<ReturnType<typeof listLogins>>[number]

const toldLogin = ({ email, role, crm, hasPassword, hasTotp, sessions, lastLoginAt }: ListedLogin) => ({
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
  summary: 'Takes a login away and ends all its sessions.',
  words: ['<email>'],
  run: ({ words: [email = ''], config }) =>
    withService(config, async service => {
      await removeLogin(service, theCommandLine, await loginOf(service, email))
      say('Removed.')
    }),
}

const userLogout: Command = {
  name: 'user logout',
  summary: 'Ends all sessions of a login, and the links that were not used.',
  words: ['<email>'],
  run: ({ words: [email = ''], config }) =>
    withService(config, async service => {
      const ended = await logOutEverywhere(service, await loginOf(service, email))
      say(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'}.`)
    }),
}

async function loginOf({ db }: Service, email: string) {
  const login = await findConsoleUserByEmail(db, email)
  if (!login) throw new StartError(`There is no login ${email}. See holdfast user list.`)
  return login
}

export const userCommands: Command[] = [userInvite, userList, userRemove, userLogout]
