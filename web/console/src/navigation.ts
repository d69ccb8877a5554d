import { useLocation } from 'wouter-preact'
import { useLiveRequestCount } from './live-changes.ts'
import { type Me, type MyProvider, may, type Right } from './session.ts'
import { shell } from './shell-words.ts'
import type { IconName } from './ui/Icon.tsx'

/** Goes to another page. */
export const useGo = () => useLocation()[1]

/** An entry of the navigation rail. */
export type NavigationEntry = {
  /** Of all its pages. */
  path: string
  /** The first of them, if it is not at `path`. */
  opens?: string
  name: string
  icon: IconName
  keys?: string
  isFor: (me: Me, provider: MyProvider | null) => boolean
  useCount?: () => number
}

const here = (right: Right) => (_: Me, provider: MyProvider | null) =>
  provider !== null && may(provider, right)

/** Pages about a whole CRM or service. */
const anywhere = (right: Right) => (me: Me) => may(me, right)

/** Most used first. */
export const navigation: NavigationEntry[] = [
  { path: '/', name: shell.today, icon: 'today', keys: 't', isFor: here('see-calendar') },
  {
    path: '/requests',
    name: shell.requests,
    icon: 'requests',
    keys: 'g r',
    isFor: here('see-calendar'),
    useCount: useLiveRequestCount,
  },
  { path: '/calendar', name: shell.calendar, icon: 'calendar', keys: 'g c', isFor: here('see-calendar') },
  { path: '/customers', name: shell.customers, icon: 'customers', keys: 'g u', isFor: here('see-calendar') },
  {
    path: '/offers',
    opens: '/offers/products',
    name: shell.offers,
    icon: 'offers',
    keys: 'g o',
    isFor: here('settings'),
  },
  { path: '/channels', name: shell.channels, icon: 'channels', keys: 'g k', isFor: here('settings') },
  { path: '/waiting', name: shell.waiting, icon: 'waiting', keys: 'g w', isFor: here('see-calendar') },
  { path: '/mails', name: shell.mails, icon: 'mails', keys: 'g m', isFor: here('mails') },
  { path: '/people', name: shell.people, icon: 'people', keys: 'g p', isFor: here('manage') },
  { path: '/reports', name: shell.reports, icon: 'reports', keys: 'g e', isFor: here('reports') },
  { path: '/integration', name: shell.integration, icon: 'integration', keys: 'g i', isFor: anywhere('crm') },
  { path: '/audit', name: shell.audit, icon: 'audit', keys: 'g a', isFor: here('manage') },
  {
    path: '/operator',
    name: shell.operator,
    icon: 'operator',
    keys: 'g s',
    isFor: anywhere('service'),
  },
]
