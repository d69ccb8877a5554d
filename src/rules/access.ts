// Who may do what. A route names the right it requires; this table says which roles have it.

export const rights = {
  'own-login': 'Own login, sessions and second factor',
  'see-calendar': 'See calendar, bookings and customers',
  mails: 'See emails',
  book: 'Change bookings, requests and customers; open and block time; send emails again',
  'add-customers': 'Add customers without a booking',
  reports: 'See reports of the whole business',
  settings: 'Services, opening hours and online booking',
  manage: 'Settings of the business, closures, team, activity; import; erase customers',
  transfer: 'Transfer ownership',
  crm: 'Keys, webhooks, logins and activity of a CRM; add businesses',
  service: 'CRMs, jobs and status of the service',
} as const

export type Right = keyof typeof rights

const practitioner = ['own-login', 'see-calendar', 'book'] as const
const desk = ['own-login', 'see-calendar', 'mails'] as const
const reader = [...desk, 'reports'] as const
const reception = [...desk, 'book', 'add-customers'] as const
const staff = [...reception, 'settings'] as const
const manager = [...staff, 'reports', 'manage'] as const
const owner = [...manager, 'transfer'] as const
const administrator = [...owner, 'crm'] as const

/** What each role may do: operators everywhere, administrators in their CRM, the others at their Provider. */
export const rightsOf = {
  operator: [...administrator, 'service'],
  administrator,
  owner,
  manager,
  staff,
  reception,
  practitioner,
  reader,
} as const satisfies Record<string, readonly Right[]>

export type Role = keyof typeof rightsOf

/** Roles that the owner can give to the staff of a Provider. */
export const memberRoles = [
  'manager',
  'staff',
  'reception',
  'practitioner',
  'reader',
] as const satisfies Role[]
export type MemberRole = (typeof memberRoles)[number]

/** Roles of a login; all others are roles at one Provider. */
export type LoginRole = 'operator' | 'administrator' | 'staff'

/** These see only certain Resources of the Provider, and the customers booked there. */
export const limitedRoles: Role[] = ['practitioner']

export const isLimited = (role: Role): boolean => limitedRoles.includes(role)

export const hasRight = (role: Role, right: Right): boolean =>
  (rightsOf[role] as readonly Right[]).includes(right)

export const rolesWith = (right: Right): Role[] =>
  (Object.keys(rightsOf) as Role[]).filter(role => hasRight(role, right))
