import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Minutes by which a Timeslot, or only its end, was moved. */
export type Shift = { uuid: string; startBy: number; endBy: number }

const stepMinutes = 5

/**
 * The library cannot drag background events: the strip at the side moves a Timeslot, its foot moves the end.
 */
export function useBandDrag(place: RefObject<HTMLElement | null>, onDrop: (shift: Shift) => void) {
  const latest = useRef(onDrop)
  latest.current = onDrop
  useEffect(() => {
    const grid = place.current!
    let stop: AbortController | null = null
    const begin = (event: PointerEvent) => {
      const grip = (event.target as Element).closest<HTMLElement>('.band-grip')
      const band = grip?.closest<HTMLElement>('.ec-bg-event')
      if (event.button !== 0 || !grip || !band) return
      // Not a click on empty time, nor a selection.
      event.preventDefault()
      event.stopPropagation()
      stop?.abort()
      stop = new AbortController()
      drag(grip, band, event, stop, shift => latest.current(shift))
    }
    // Runs before the library's handler.
    grid.addEventListener('pointerdown', begin, { capture: true })
    return () => {
      stop?.abort()
      grid.removeEventListener('pointerdown', begin, { capture: true })
    }
  }, [place])
}

function drag(
  grip: HTMLElement,
  band: HTMLElement,
  { clientY: from }: PointerEvent,
  stop: AbortController,
  onDrop: (shift: Shift) => void,
) {
  const isEnd = grip.classList.contains('end')
  const height = band.offsetHeight
  const minutes = Number(grip.dataset.minutes)
  let by = 0
  const end = () => {
    stop.abort()
    band.classList.remove('carried-band')
    band.style.translate = ''
    band.style.blockSize = ''
  }
  const move = ({ clientY }: PointerEvent) => {
    const steps = Math.round(((clientY - from) * minutes) / height / stepMinutes)
    by = Math.max(steps * stepMinutes, isEnd ? stepMinutes - minutes : -24 * 60)
    const pixels = (by * height) / minutes
    band.classList.add('carried-band')
    if (isEnd) band.style.blockSize = `${height + pixels}px`
    else band.style.translate = `0 ${pixels}px`
  }
  const drop = () => {
    end()
    // Ignores the click after a drag.
    addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', swallow, { capture: true }))
    if (by !== 0) onDrop({ uuid: grip.dataset.slot!, startBy: isEnd ? 0 : by, endBy: by })
  }
  const { signal } = stop
  addEventListener('pointermove', move, { signal })
  addEventListener('pointerup', drop, { signal })
  addEventListener('pointercancel', end, { signal })
  addEventListener('keydown', event => event.key === 'Escape' && end(), { signal })
}

const swallow = (event: Event) => {
  event.preventDefault()
  event.stopPropagation()
}
