import { useRequestCount } from './request-count.ts'
import { isAtLeast, type Me, type MyProvider, type Role } from './session.ts'
import { shell } from './shell-words.ts'
import type { IconName } from './ui/Icon.tsx'

/** An entry of the navigation rail. */
export type NavigationEntry = {
  path: string
  name: string
  icon: IconName
  keys?: string
  isFor: (me: Me, provider: MyProvider | null) => boolean
  useCount?: () => number
}

const atLeast = (role: Role) => (_: Me, provider: MyProvider | null) =>
  provider !== null && isAtLeast(provider.role, role)

/** Pages about a whole CRM. */
const manages = (me: Me) => me.role !== 'staff'

/** Most used first. */
export const navigation: NavigationEntry[] = [
  { path: '/', name: shell.today, icon: 'today', keys: 't', isFor: atLeast('staff') },
  {
    path: '/requests',
    name: shell.requests,
    icon: 'requests',
    keys: 'g r',
    isFor: atLeast('staff'),
    useCount: useRequestCount,
  },
  { path: '/calendar', name: shell.calendar, icon: 'calendar', keys: 'g c', isFor: atLeast('staff') },
  { path: '/customers', name: shell.customers, icon: 'customers', keys: 'g u', isFor: atLeast('staff') },
  { path: '/offers', name: shell.offers, icon: 'offers', keys: 'g o', isFor: atLeast('staff') },
  { path: '/channels', name: shell.channels, icon: 'channels', keys: 'g k', isFor: atLeast('staff') },
  { path: '/mails', name: shell.mails, icon: 'mails', keys: 'g m', isFor: atLeast('staff') },
  { path: '/people', name: shell.people, icon: 'people', keys: 'g p', isFor: atLeast('owner') },
  { path: '/integration', name: shell.integration, icon: 'integration', keys: 'g i', isFor: manages },
  { path: '/audit', name: shell.audit, icon: 'audit', keys: 'g a', isFor: atLeast('owner') },
  {
    path: '/operator',
    name: shell.operator,
    icon: 'operator',
    keys: 'g s',
    isFor: me => me.role === 'operator',
  },
]
