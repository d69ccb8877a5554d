import { useRequestCount } from './request-count.ts'
import { isAtLeast, type Me, type MyProvider, type Role } from './session.ts'
import { shell } from './shell-words.ts'

/** An entry of the rail: where it leads, and who has it. */
export type Place = {
  path: string
  name: string
  sign: string
  keys?: string
  isFor: (me: Me, provider: MyProvider | null) => boolean
  useCount?: () => number
}

const atLeast = (role: Role) => (_: Me, provider: MyProvider | null) =>
  provider !== null && isAtLeast(provider.role, role)

/** What belongs to a CRM at large. */
const manages = (me: Me) => me.role !== 'staff'

/** In the order of use. */
export const places: Place[] = [
  { path: '/', name: shell.today, sign: '☀', keys: 't', isFor: atLeast('staff') },
  {
    path: '/requests',
    name: shell.requests,
    sign: '✉',
    keys: 'g r',
    isFor: atLeast('staff'),
    useCount: useRequestCount,
  },
  { path: '/calendar', name: shell.calendar, sign: '▦', keys: 'g c', isFor: atLeast('staff') },
  { path: '/customers', name: shell.customers, sign: '☺', keys: 'g u', isFor: atLeast('staff') },
  { path: '/offers', name: shell.offers, sign: '▤', keys: 'g o', isFor: atLeast('staff') },
  { path: '/channels', name: shell.channels, sign: '⇄', keys: 'g k', isFor: atLeast('staff') },
  { path: '/mails', name: shell.mails, sign: '@', keys: 'g m', isFor: atLeast('staff') },
  { path: '/people', name: shell.people, sign: '☻', keys: 'g p', isFor: atLeast('owner') },
  { path: '/integration', name: shell.integration, sign: '⌘', keys: 'g i', isFor: manages },
  { path: '/audit', name: shell.audit, sign: '≡', keys: 'g a', isFor: atLeast('owner') },
  { path: '/operator', name: shell.operator, sign: '⚙', keys: 'g s', isFor: me => me.role === 'operator' },
]
