import { useMemo, useState } from 'preact/hooks'
import type { CalendarResource } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { locale } from '../../words.ts'
import { texts } from './words.ts'

/** The library draws every column; with more than this, the page would stand still for seconds. */
const mostColumns = 100
const columnsPerPage = 20

type Pages = { shown: CalendarResource[]; first: number; count: number; onStep: (by: number) => void }

export function useColumnPages(resources: CalendarResource[], isOn: boolean): Pages {
  const [wanted, set] = useState(0)
  const isPaged = isOn && resources.length > mostColumns
  const first = wanted < resources.length ? wanted : 0
  const shown = useMemo(
    () => (isPaged ? resources.slice(first, first + columnsPerPage) : resources),
    [resources, isPaged, first],
  )
  return { shown, first, count: resources.length, onStep: by => set(first + by * columnsPerPage) }
}

export function ColumnPages({ shown, first, count, onStep }: Pages) {
  if (shown.length === count) return null
  return (
    <div class="row column-pages">
      <Button label={texts.previousColumns} disabled={first === 0} onClick={() => onStep(-1)}>
        ‹
      </Button>
      <span aria-live="polite">
        {texts.columns(inDigits(first + 1), inDigits(first + shown.length), inDigits(count))}
      </span>
      <Button label={texts.nextColumns} disabled={first + shown.length >= count} onClick={() => onStep(1)}>
        ›
      </Button>
    </div>
  )
}

const inDigits = (value: number) => value.toLocaleString(locale.tag)
