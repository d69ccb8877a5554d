import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

type Target = { resource: string; day: string }
type Carrier = { canCarry: (uuid: string) => boolean; onDrop: (uuid: string, target: Target) => void }

const farEnough = 6
const longPressMs = 400
const edge = 48

/**
 * Drags entries between cells: at once by mouse, after a long press by touch, so that scrolling still works.
 */
export function useCellDrag(frame: RefObject<HTMLElement | null>, carrier: Carrier) {
  const latest = useRef(carrier)
  latest.current = carrier
  useEffect(() => {
    const place = frame.current!
    let carried: Carried | null = null
    const begin = (event: PointerEvent) => {
      const mark = (event.target as Element).closest<HTMLElement>('[data-uuid]')
      if (event.button !== 0 || !mark || !latest.current.canCarry(mark.dataset.uuid!)) return
      carried?.end()
      carried = carry(place, mark, event, target => latest.current.onDrop(mark.dataset.uuid!, target))
    }
    place.addEventListener('pointerdown', begin)
    return () => {
      carried?.end()
      place.removeEventListener('pointerdown', begin)
    }
  }, [frame])
}

type Carried = { end: () => void }

function carry(
  frame: HTMLElement,
  mark: HTMLElement,
  start: PointerEvent,
  onDrop: (to: Target) => void,
): Carried {
  const stop = new AbortController()
  const isTouch = start.pointerType === 'touch'
  let ghost: HTMLElement | null = null
  let over: HTMLElement | null = null
  const lift = () => {
    ghost = mark.cloneNode(true) as HTMLElement
    ghost.removeAttribute('data-uuid')
    ghost.classList.add('carried')
    ghost.style.inlineSize = `${mark.offsetWidth}px`
    mark.classList.add('leaving')
    frame.append(ghost)
  }
  const hoverAt = (cell: HTMLElement | null) => {
    over?.classList.remove('target')
    over = cell
    over?.classList.add('target')
  }
  const move = ({ clientX: x, clientY: y }: PointerEvent) => {
    const isFar = Math.hypot(x - start.clientX, y - start.clientY) > farEnough
    if (!ghost && isTouch && isFar) return end()
    if (!ghost && !isTouch && isFar) lift()
    if (!ghost) return
    ghost.style.transform = `translate(${x + 8}px, ${y + 8}px)`
    scrollAt(frame, y)
    hoverAt(document.elementFromPoint(x, y)?.closest<HTMLElement>('td[data-day]') ?? null)
  }
  const drop = () => {
    const [wasLifted, to] = [ghost !== null, over]
    end()
    if (!wasLifted) return
    // Ignores the click after a drop.
    addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', swallow, { capture: true }))
    if (to) onDrop({ resource: to.dataset.resource!, day: to.dataset.day! })
  }
  const end = () => {
    clearTimeout(press)
    stop.abort()
    ghost?.remove()
    ghost = null
    mark.classList.remove('leaving')
    hoverAt(null)
  }
  const press = isTouch ? setTimeout(lift, longPressMs) : undefined
  const { signal } = stop
  addEventListener('pointermove', move, { signal })
  addEventListener('pointerup', drop, { signal })
  addEventListener('pointercancel', end, { signal })
  addEventListener('keydown', event => event.key === 'Escape' && end(), { signal })
  // Prevents touch scrolling during a drag.
  frame.addEventListener('touchmove', event => ghost && event.preventDefault(), { signal, passive: false })
  return { end }
}

const swallow = (event: Event) => {
  event.preventDefault()
  event.stopPropagation()
}

function scrollAt(frame: HTMLElement, y: number) {
  const { top, bottom } = frame.getBoundingClientRect()
  if (y < top + edge) frame.scrollBy(0, -16)
  if (y > bottom - edge) frame.scrollBy(0, 16)
}
