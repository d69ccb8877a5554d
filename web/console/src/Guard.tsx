import type { ComponentChildren } from 'preact'
import { useLocation } from 'wouter-preact'
import { NoPage } from './NoPage.tsx'
import { navigation } from './navigation.ts'
import { may, useSession } from './session.ts'
import { shell } from './shell-words.ts'

/** Tabs of pages that more people can open. */
const managers = ['/channels/look', '/channels/subscriptions', '/mails/texts', '/customers/import']

/**
 * Explains that access is missing when a page is opened by its address. The service refuses the calls anyway.
 */
export function Guard({ children }: { children: ComponentChildren }) {
  const { me, provider } = useSession()
  const [location] = useLocation()
  const place = navigation.find(({ path }) => path !== '/' && location.startsWith(path))
  const isTheirs = !provider || !place || place.isFor(me, provider)
  const isManagers = managers.some(path => location.startsWith(path)) && provider && !may(provider, 'manage')
  if (isTheirs && !isManagers) return children
  return <NoPage title={place?.name ?? shell.today} />
}
