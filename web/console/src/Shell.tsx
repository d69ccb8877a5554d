import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { browserZone } from '#shared/zones.ts'
import { api } from './api.ts'
import { BusinessChooser } from './BusinessChooser.tsx'
import { common } from './common-words.ts'
import { confirmLeave } from './leave-guard.ts'
import { Notices } from './Notices.tsx'
import { type NavigationEntry, navigation } from './navigation.ts'
import { may, useSession } from './session.ts'
import { shell } from './shell-words.ts'
import { allShortcuts, useShortcuts } from './shortcuts.ts'
import { format } from './time.ts'
import { Button } from './ui/Button.tsx'
import { Dialog } from './ui/dialogs/Dialog.tsx'
import { forgetKeptInput } from './ui/editing/kept-input.ts'
import { clearUnsaved } from './ui/editing/unsaved.ts'
import { chosenIn } from './ui/fields/Field.tsx'
import { wantSearch } from './ui/fields/SearchField.tsx'
import { Icon } from './ui/Icon.tsx'

/** A rail on the left; on a phone, a bar at the bottom with the first four pages and "More". */
export function Shell({ children }: { children: ComponentChildren }) {
  const { me, provider, isWelcome } = useSession()
  const [location, go] = useLocation()
  const [open, setOpen] = useState<'keys' | 'more' | null>(null)
  const mine = navigation.filter(place => place.isFor(me, provider))
  useShortcuts([
    ...mine
      .filter(one => one.keys)
      .map(one => ({ keys: one.keys!, does: one.name, run: () => go(one.opens ?? one.path) })),
    ...(provider
      ? [{ keys: '/', does: shell.findCustomer, run: () => wantSearch() || go('/customers') }]
      : []),
    { keys: '?', does: shell.shortcuts, run: () => setOpen('keys') },
  ])
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {shell.skip}
      </a>
      <nav class="rail" aria-label={shell.navigation}>
        <p class="brand">Holdfast</p>
        <ul>
          {mine.map((place, index) => (
            <Entry key={place.path} place={place} isFirst={index < 4} />
          ))}
          <li class="only-phone">
            <button type="button" class="entry" onClick={() => setOpen('more')}>
              <Icon name="more" />
              {common.more}
            </button>
          </li>
        </ul>
        <Who />
      </nav>
      <main id="content">
        <Connection />
        {provider && provider.timeZone !== browserZone() && (
          <p class="soft only-phone zone-note">{format.zone(provider.timeZone, Date.now())}</p>
        )}
        {provider?.isSuspended && (
          <p class="trouble" role="status">
            {shell.suspended}
          </p>
        )}
        {location === '/' && provider && !isWelcome && <Notices />}
        {children}
      </main>
      {open === 'keys' && <Keys onClose={() => setOpen(null)} />}
      {open === 'more' && (
        <Dialog title={common.more} onClose={() => setOpen(null)}>
          <ul class="menu">
            {mine.slice(4).map(place => (
              <li key={place.path}>
                <Link href={place.opens ?? place.path} onClick={() => setOpen(null)}>
                  {place.name}
                </Link>
              </li>
            ))}
          </ul>
          <Who />
        </Dialog>
      )}
    </div>
  )
}

function Entry({ place, isFirst }: { place: NavigationEntry; isFirst: boolean }) {
  const [location] = useLocation()
  const isHere = place.path === '/' ? location === '/' : location.startsWith(place.path)
  const count = place.useCount?.() ?? 0
  return (
    <li class={isFirst ? '' : 'only-wide'}>
      <Link href={place.opens ?? place.path} class="entry" aria-current={isHere ? 'page' : undefined}>
        <Icon name={place.icon} />
        {place.name}
        {count > 0 && <span class="count">{count > 99 ? '99+' : count}</span>}
      </Link>
    </li>
  )
}

/** With more businesses, people search. */
const mostInList = 20

function Who() {
  const { me, providers, provider, choose } = useSession()
  const [isChoosing, setChoosing] = useState(false)
  const leave = () =>
    confirmLeave(async () => {
      clearUnsaved()
      forgetKeptInput()
      await api.post('/session/logout').catch(() => null)
      location.assign('/console')
    })
  return (
    <div class="who">
      {providers.length > mostInList && (
        <>
          <span class="soft">{shell.business}</span>
          <Button label={`${shell.business}: ${provider!.name}`} onClick={() => setChoosing(true)}>
            {provider!.name}
          </Button>
        </>
      )}
      {isChoosing && <BusinessChooser onClose={() => setChoosing(false)} />}
      {providers.length > 1 && providers.length <= mostInList && (
        <label>
          <span class="soft">{shell.business}</span>
          <select
            value={provider?.uuid}
            onChange={event => choose(chosenIn(event.currentTarget, provider!.uuid))}
          >
            {providers.map(one => (
              <option key={one.uuid} value={one.uuid}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {providers.length === 1 && <p>{provider!.name}</p>}
      {provider && provider.timeZone !== browserZone() && (
        <p class="soft">{format.zone(provider.timeZone, Date.now())}</p>
      )}
      {may(me, 'crm') && (
        <p>
          <Link href="/start/new">{shell.addBusiness}</Link>
        </p>
      )}
      <p>
        <Link href="/me">{me.name}</Link>
      </p>
      <Button kind="quiet" onClick={leave}>
        {shell.logOut}
      </Button>
    </div>
  )
}

function Keys({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={shell.shortcuts} onClose={onClose}>
      <dl class="keys">
        {allShortcuts().map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map(one => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Shows a message while there is no network. */
function Connection() {
  const [isOnline, set] = useState(navigator.onLine)
  useEffect(() => {
    const look = () => set(navigator.onLine)
    addEventListener('online', look)
    addEventListener('offline', look)
    return () => {
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [])
  return (
    <div role="status" class="connection">
      {!isOnline && <p class="trouble">{common.offline}</p>}
    </div>
  )
}
