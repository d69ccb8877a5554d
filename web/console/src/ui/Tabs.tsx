import { useEffect, useRef } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'

/** Parts of a page with their own addresses. */
export function Tabs({ label, tabs }: { label: string; tabs: { path: string; name: string }[] }) {
  const [location] = useLocation()
  const here = tabs.filter(({ path }) => location.startsWith(path)).sort(byLength)[0]
  const nav = useRef<HTMLElement>(null)
  // Scrolls the current tab into view on small phones.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [here?.path])
  return (
    <nav class="tabs" aria-label={label} ref={nav}>
      {tabs.map(({ path, name }) => (
        <Link key={path} href={path} aria-current={path === here?.path ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}

const byLength = (one: { path: string }, other: { path: string }) => other.path.length - one.path.length
