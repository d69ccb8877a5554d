import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { Problem as Fault } from '../api.ts'
import { common, sentenceOf } from '../common-words.ts'
import type { Loaded } from '../load.ts'
import { Button } from './Button.tsx'

type Props = {
  title: string
  /** The page's main action, to the right of its title. */
  action?: ComponentChildren
  /** What the page shows can be chosen in the row of its title, which then takes less room. */
  filters?: ComponentChildren
  children: ComponentChildren
  wide?: boolean
}

let isFirst = true

/** A title row and the content. A new page takes the focus, so that Tab continues there. */
export function Page({ title, action, filters, children, wide }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Holdfast`
    // An input that already has the focus keeps it.
    const isTyping = heading.current!.closest('.page')!.querySelector('input:focus') !== null
    if (!isFirst && !isTyping) heading.current?.focus()
    isFirst = false
  }, [title])
  return (
    <div class={wide ? 'page wide' : 'page'}>
      <header class="page-title">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {filters && <div class="row page-filters">{filters}</div>}
        {action && <div class="page-action">{action}</div>}
      </header>
      {children}
    </div>
  )
}

/** An empty state: one sentence with the next step, and one button. */
export function Empty({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {action}
    </div>
  )
}

type NoneProps = { children: ComponentChildren; isFiltered: boolean; onClear: () => void }

/** An empty list; if filters are the reason, a button clears them. */
export const None = ({ children, isFiltered, onClear }: NoneProps) => (
  <Empty action={isFiltered && <Button onClick={onClear}>{common.showAll}</Button>}>{children}</Empty>
)

export function Trouble({ problem, onRetry }: { problem: Fault; onRetry?: () => void }) {
  return (
    <div class="trouble" role="alert">
      <p>{sentenceOf(problem)}</p>
      {onRetry && <Button onClick={onRetry}>{common.tryAgain}</Button>}
    </div>
  )
}

/** Placeholder rows in the final size, so that the layout does not shift. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={common.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

type PendingProps = { of: Pick<Loaded<unknown>, 'problem' | 'isLoading' | 'reload'>; rows?: number }

/** What is there before the data is: placeholder rows, or why it could not be loaded. */
export const Pending = ({ of: { problem, isLoading, reload }, rows }: PendingProps) => (
  <>
    {problem && <Trouble problem={problem} onRetry={reload} />}
    {isLoading && <Skeleton rows={rows} />}
  </>
)

type SectionProps = { id: string; title: string; text?: string; action?: ComponentChildren }

/** Title, description and action of a section. */
export const SectionHead = ({ id, title, text, action }: SectionProps) => (
  <header class="section-head">
    <h2 id={id}>{title}</h2>
    {action}
    {text && <p class="soft">{text}</p>}
  </header>
)

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
