import { isEmail, isWebAddress, namesDangerousScheme } from './addresses.ts'

type Person = {
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  mobile: string | null
}

export type ContactChannel = {
  label: string | null
  type: 'mobile' | 'phone' | 'email' | 'video' | 'messenger' | 'link' | 'location'
  value: string
}

/** Contact Channels are published and turned into links. Null if the value is acceptable. */
export function profileProblem(type: ContactChannel['type'], value: string) {
  if (type === 'email' && !isEmail(value)) return 'email:channel'
  if (type === 'link' && !isWebAddress(value)) return 'web-address:channel'
  return namesDangerousScheme(value) ? 'dangerous-link' : null
}

export type Profile = { name: string; channels: ContactChannel[] }

/** The fields that a booking can fill in for a known person, by column. */
const fieldOf = new Map([
  ['first_name', 'firstName'],
  ['last_name', 'lastName'],
  ['mobile', 'mobile'],
])

/** Without the details that a stranger entered when booking with this person's address. */
export const confirmedOnly = <T extends Person & { unconfirmed: string[] }>(user: T): T => ({
  ...user,
  ...Object.fromEntries(user.unconfirmed.map(column => [fieldOf.get(column), null])),
})

/** The profile of a User who has none. */
export function generalProfileOf(user: Person): Profile {
  return { name: fullName(user), channels: channelsOf(user) }
}

type Provider = { name: string; email: string | null; phone: string | null; mobile: string | null }
/** The person who represents a Resource or an Appointment, with a profile if there is one. */
export type Contact = (Person & { profile: Profile | null }) | null

/** The published contact: the contact's profile, else the contact, else the Provider. */
export function shownContact(contact: Contact, provider: Provider): Profile {
  if (contact) return contact.profile ?? generalProfileOf(contact)
  return { name: provider.name, channels: channelsOf(provider) }
}

type Speaker<Language> = { email: string | null; language: Language }

/**
 * The recipient of booking notices and their language: the contact under the profile's address or their own,
 * else the Provider, else the owner.
 */
export function noticeRecipient<Language>(
  contact: (Speaker<Language> & { profile: Profile | null }) | null,
  provider: Speaker<Language>,
  owner: Speaker<Language>,
): { email: string; language: Language } | null {
  const ofProfile = contact?.profile?.channels.find(channel => channel.type === 'email')?.value
  const ofContact = contact && { email: ofProfile ?? contact.email, language: contact.language }
  for (const one of [ofContact, provider, owner])
    if (one?.email) return { email: one.email, language: one.language }
  return null
}

export const fullName = ({ firstName, lastName }: Pick<Person, 'firstName' | 'lastName'>) =>
  [firstName, lastName].filter(Boolean).join(' ')

function channelsOf(person: Pick<Person, 'email' | 'phone' | 'mobile'>): ContactChannel[] {
  const types = ['email', 'phone', 'mobile'] as const
  return types.flatMap(type => (person[type] ? [{ label: null, type, value: person[type] }] : []))
}

/** Recognisable to the person, but to no one else: `Ann Berg` becomes `A** B***`. */
export function maskName(name: string): string {
  return name.split(/\s+/).map(masked).join(' ')
}

/** `ann@example.org` becomes `a**@e******.org`. */
export function maskEmail(email: string | null): string {
  if (!email) return ''
  const at = email.lastIndexOf('@')
  const [host = '', ...rest] = email.slice(at + 1).split('.')
  return `${masked(email.slice(0, at))}@${[masked(host), ...rest].join('.')}`
}

/** The first letter of a one-letter word would reveal all of it. */
function masked(word: string): string {
  const [first = '', ...rest] = word
  return rest.length === 0 ? '*' : first + '*'.repeat(rest.length)
}
