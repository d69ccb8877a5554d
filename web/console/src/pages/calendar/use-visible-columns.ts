import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Columns = { from: number; to: number }

/** Columns drawn beyond each edge. */
const ahead = 3
/** Used until the viewport is measured. */
const atFirst = 10

/**
 * The columns in or near the viewport: each mark costs the library over a millisecond, and forty Resources
 * fit on no screen.
 */
export function useVisibleColumns(
  place: RefObject<HTMLElement | null>,
  count: number,
  isOn: boolean,
): Columns {
  const [columns, set] = useState<Columns>({ from: 0, to: atFirst })
  useEffect(() => {
    if (!isOn) return
    const frame = place.current!
    const look = () => {
      const seen = measure(frame, count)
      if (seen)
        set(before => (before.from <= seen.from && before.to >= seen.to ? before : widened(seen, count)))
    }
    const resized = new ResizeObserver(look)
    resized.observe(frame)
    // The library replaces its scrolling element, so its events are captured on an ancestor.
    frame.addEventListener('scroll', look, { capture: true, passive: true })
    return () => {
      resized.disconnect()
      frame.removeEventListener('scroll', look, { capture: true })
    }
  }, [place, count, isOn])
  return isOn ? columns : { from: 0, to: count }
}

const widened = ({ from, to }: Columns, count: number) => ({
  from: Math.max(0, from - ahead),
  to: Math.min(count, to + ahead),
})

function measure(place: HTMLElement, count: number): Columns | null {
  const main = place.querySelector<HTMLElement>('.ec-main')
  const side = place.querySelector<HTMLElement>('.ec-sidebar')?.offsetWidth ?? 0
  if (!main || main.scrollWidth === 0) return null
  const width = (main.scrollWidth - side) / count
  const from = Math.floor(Math.abs(main.scrollLeft) / width)
  return {
    from,
    to: Math.min(count, Math.ceil((Math.abs(main.scrollLeft) + main.clientWidth - side) / width)),
  }
}
