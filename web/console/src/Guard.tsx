import type { ComponentChildren } from 'preact'
import { Link, useLocation } from 'wouter-preact'
import { common } from './common-words.ts'
import { places } from './places.ts'
import { isAtLeast, useSession } from './session.ts'
import { shell } from './shell-words.ts'
import { Empty, Page } from './ui/Page.tsx'

/** Parts of pages that staff see, which are the owner's. */
const owners = ['/channels/look', '/channels/subscriptions']

/** Whoever opens a page that is not theirs, by its address, is told so in a sentence. The service refuses it anyway. */
export function Guard({ children }: { children: ComponentChildren }) {
  const { me, provider } = useSession()
  const [location] = useLocation()
  const place = places.find(({ path }) => path !== '/' && location.startsWith(path))
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
        {common.gone}
      </Empty>
    </Page>
  )
}
