import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { CalendarPeriod } from '../../records.ts'
import { useMay, useProvider } from '../../session.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { showToast } from '../../ui/toasts.tsx'
import { hueClass } from './entry-style.ts'
import { texts } from './words.ts'

const signs = [
  ['open', texts.isOpen],
  ['planned', texts.isPlanned],
  ['private', texts.isPrivate],
  ['closed', texts.closed.toLocaleLowerCase()],
  ['buffer', texts.isBuffer],
] as const

type Props = {
  data: CalendarPeriod
  resources: CalendarPeriod['resources']
  /** Bands and shapes are drawn in this view. */
  hasBands: boolean
  onChanged: () => void
}

/** Explains colours, bands and shapes. */
export function Legend({ data, resources, hasBands, onChanged }: Props) {
  return (
    <div class="calendar-foot no-print">
      <Colors data={data} resources={resources} onChanged={onChanged} />
      {hasBands && <Signs />}
    </div>
  )
}

const colorings = ['RESOURCE', 'PRODUCT'] as const

/** What the colours stand for: a setting of the whole business. */
function Colors({ data, resources, onChanged }: Omit<Props, 'hasBands'>) {
  const { uuid } = useProvider()
  const mayChoose = useMay('manage')
  const { busy, run } = useSubmit()
  const named = data.colorsBy === 'PRODUCT' ? data.products : resources
  const save = async (calendarColors: CalendarPeriod['colorsBy']) => {
    await api.patch(`/providers/${uuid}`, { calendarColors })
    onChanged()
  }
  const choose = async (next: CalendarPeriod['colorsBy']) => {
    const before = data.colorsBy
    if (await run(() => save(next).then(() => true)))
      showToast(texts.colorsChanged, { undo: () => save(before) })
  }
  return (
    <ul class="calendar-key" aria-label={texts.colors}>
      {mayChoose && (
        <li>
          <label>
            {texts.colors}{' '}
            <select
              value={data.colorsBy}
              disabled={busy}
              onChange={event => void choose(event.currentTarget.value as CalendarPeriod['colorsBy'])}
            >
              {colorings.map(one => (
                <option key={one} value={one}>
                  {texts.colorsBy[one]}
                </option>
              ))}
            </select>
          </label>
        </li>
      )}
      {named.slice(0, mostNames).map(one => (
        <li key={one.uuid}>
          <span class={`swatch hue ${hueClass(one)}`} aria-hidden="true" /> {one.name}
        </li>
      ))}
    </ul>
  )
}

/** With more, colours repeat and the list would be longer than the calendar. */
const mostNames = 10

const Signs = () => (
  <ul class="calendar-key" aria-label={texts.legend}>
    {signs.map(([kind, name]) => (
      <li key={kind}>
        <span class={`swatch band ${kind}`} aria-hidden="true" /> {name}
      </li>
    ))}
    <li>
      <span aria-hidden="true">◐</span> {common.REQUESTED}
    </li>
    <li>
      <span aria-hidden="true">◌</span> {texts.held}
    </li>
    <li>
      <span aria-hidden="true">◷</span> {texts.isLate}
    </li>
  </ul>
)
