import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Columns = { from: number; to: number }

/** So many more on each side are drawn ahead. */
const ahead = 3
/** Before anything is measured. */
const atFirst = 10

/**
 * Which columns of a wide calendar are in sight, or nearly: each mark costs the library more than a millisecond, and forty
 * Resources do not fit on any screen.
 */
export function useInSight(place: RefObject<HTMLElement | null>, count: number, isOn: boolean): Columns {
  const [columns, set] = useState<Columns>({ from: 0, to: atFirst })
  useEffect(() => {
    if (!isOn) return
    const look = () => {
      const seen = measure(place.current!, count)
      if (seen)
        set(before => (before.from <= seen.from && before.to >= seen.to ? before : widened(seen, count)))
    }
    const resized = new ResizeObserver(look)
    resized.observe(place.current!)
    // The part that scrolls is the library's own and comes and goes: its events are caught on their way down.
    place.current!.addEventListener('scroll', look, { capture: true, passive: true })
    return () => {
      resized.disconnect()
      place.current?.removeEventListener('scroll', look, { capture: true })
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
