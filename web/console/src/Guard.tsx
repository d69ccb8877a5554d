import type { ComponentChildren } from 'preact'
import { Link, useLocation } from 'wouter-preact'
import { common } from './common-words.ts'
import { navigation } from './navigation.ts'
import { isAtLeast, useSession } from './session.ts'
import { shell } from './shell-words.ts'
import { Empty, Page } from './ui/Page.tsx'

/** Tabs that staff can see but only owners can open. */
const owners = ['/channels/look', '/channels/subscriptions']

/**
 * Explains that access is missing when a page is opened by its address. The service refuses the calls anyway.
 */
export function Guard({ children }: { children: ComponentChildren }) {
  const { me, provider } = useSession()
  const [location] = useLocation()
  const place = navigation.find(({ path }) => path !== '/' && location.startsWith(path))
  const isTheirs = !provider || !place || place.isFor(me, provider)
  const isOwners = owners.includes(location) && provider && !isAtLeast(provider.role, 'owner')
  if (isTheirs && !isOwners) return children
  return (
    <Page title={place?.name ?? shell.today}>
      <Empty
        action={
          <Link class="button main" href="/">
            {shell.today}
          </Link>
        }
      >
        {common.noLongerExists}
      </Empty>
    </Page>
  )
}
