import { texts } from './words.ts'

const signs = [
  ['open', texts.isOpen],
  ['planned', texts.isPlanned],
  ['private', texts.isPrivate],
  ['closed', texts.closed.toLocaleLowerCase()],
  ['buffer', texts.isBuffer],
] as const

/** Explains bands and shapes. */
export function Legend() {
  return (
    <ul class="calendar-key no-print" aria-label={texts.legend}>
      {signs.map(([kind, name]) => (
        <li key={kind}>
          <span class={`swatch band ${kind}`} aria-hidden="true" /> {name}
        </li>
      ))}
      <li>
        <span aria-hidden="true">◐</span> {texts.requested}
      </li>
      <li>
        <span aria-hidden="true">◌</span> {texts.held}
      </li>
      <li>
        <span aria-hidden="true">◷</span> {texts.isLate}
      </li>
    </ul>
  )
}
