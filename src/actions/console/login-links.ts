import { randomBytes } from 'node:crypto'
import type { Queryable } from '../../db/base/pool.ts'
import { countHits } from '../../db/base/rates.ts'
import { queueMessages } from '../../db/mails.ts'
import { endLoginLinks, findResendableLink, insertLoginLink } from '../../db/setup/console-sessions.ts'
import {
  type ensureConsoleUser,
  findConsoleUserByEmail,
  type Login,
  lockConsoleUser,
} from '../../db/setup/console-users.ts'
import { countToday, saveInvitation } from '../../db/setup/invitations.ts'
import { tooManyRequests } from '../../errors.ts'
import { clockNow } from '../../lib/clock.ts'
import { pseudonym, sha256 } from '../../lib/hash.ts'
import { seal, unseal } from '../../lib/seal.ts'
import { loginEmail } from '../../messages/compose.ts'
import { mailboxOf } from '../../rules/people/clients.ts'
import type { Service } from '../../service.ts'

// Links that open the console, and the emails that carry them.

const invitationMinutes = 24 * 60
/** The email promises 15 minutes. A link lives twice as long, so that a link sent again keeps that promise too. */
const linkMinutes = 30
export const promisedMinutes = 15
const repeatsAnHour = 5

export type NewLogin = Parameters<typeof ensureConsoleUser>[1]

/** Who was invited, and their login; null: the address has one elsewhere, and the invitation waits beside it. */
export type Opened = NewLogin & { login: Login | null }

/** Under the lock of the login. Ends earlier links, so that a link in an old email opens nothing. */
export async function invitationLink(service: Service, tx: Queryable, invited: Opened): Promise<string> {
  const token = newToken()
  const hash = sha256(token)
  if (invited.login) {
    await endLoginLinks(tx, invited.login.id)
    const consoleUserId = invited.login.id
    await insertLoginLink(tx, { hash, consoleUserId, minutes: invitationMinutes, sealed: null })
  } else {
    await saveInvitation(tx, asPending(invited), { hash, minutes: invitationMinutes })
  }
  return addressOf(service, token)
}

function asPending({ crmId, role, ...invited }: Opened) {
  if (crmId === null || role === 'operator') throw new Error('Operators have no pending invitations.')
  return { ...invited, crmId, role }
}

/**
 * Emails a link to the person with a login under this address. While a link has 15 minutes left, asking again sends the same
 * link: requests by strangers neither end it nor use up the person's chance to get one.
 */
export async function mailLoginLink(service: Service, email: string) {
  const { db } = service
  const user = await findConsoleUserByEmail(db, email)
  if (!user) return
  await db.transaction(async tx => {
    if (!(await lockConsoleUser(tx, user.id))) return
    const known = await resendableToken(service, tx, user.id)
    if (known && !(await mayRepeat(service, tx, email))) return
    const link = addressOf(service, known ?? (await newLoginToken(service, tx, user.id)))
    await queueMessages(tx, [loginEmail(service, 'login', user, link, null)])
  })
}

async function resendableToken({ signer }: Service, tx: Queryable, consoleUserId: number) {
  const sealed = await findResendableLink(tx, consoleUserId, promisedMinutes)
  return sealed && unseal(signer.keys('login-link'), sealed)
}

async function newLoginToken({ signer }: Service, tx: Queryable, consoleUserId: number) {
  const token = newToken()
  const sealed = seal(signer.key('login-link'), token)
  await insertLoginLink(tx, { hash: sha256(token), consoleUserId, minutes: linkMinutes, sealed })
  return token
}

/** Bounds the emails to one mailbox. A refused repeat leaves the person with the link that they already have. */
async function mayRepeat({ signer, config }: Service, tx: Queryable, email: string): Promise<boolean> {
  const name = `login-mail:${pseudonym(signer.key('client'), mailboxOf(email))}`
  const { hits } = await countHits(tx, { name, windowSeconds: 3600 })
  return config.rateLimitPublic === 0 || hits <= repeatsAnHour
}

/** A link that opens the console once, and until when it does. */
export type Invitation = { link: string; expiresAt: number }

/** Emails a person that they have a login now, with a link that opens it. Under the lock of the login. */
export async function mailInvitation(
  service: Service,
  tx: Queryable,
  invited: Opened,
  place: string | null,
): Promise<Invitation> {
  if (invited.crmId !== null) await countInvitation(tx, service, invited.crmId, invited.email)
  const link = await invitationLink(service, tx, invited)
  const reader = invited.login ?? invited
  await queueMessages(tx, [
    loginEmail(service, 'invitation', { ...reader, crmId: invited.crmId }, link, place),
  ])
  return { link, expiresAt: clockNow() + invitationMinutes * 60_000 }
}

const newToken = () => randomBytes(24).toString('base64url')
const addressOf = ({ baseUrl }: Service, token: string) => `${baseUrl}/console/login/${token}`

const maxForAddress = 10
const maxForCrm = 100

/** Keeps a CRM from flooding mailboxes. Counted per CRM, so that none uses up the invitations of another. */
async function countInvitation(tx: Queryable, { signer }: Service, crmId: number, email: string) {
  const mailbox = pseudonym(signer.key('client'), mailboxOf(email))
  const limits = [
    { name: `invitation:${crmId}`, max: maxForCrm },
    { name: `invitation:${crmId}:${mailbox}`, max: maxForAddress },
  ]
  for (const { name, max } of limits) {
    const { hits, wait } = await countToday(tx, name)
    if (hits > max) throw tooManyRequests(Math.max(1, wait))
  }
}
