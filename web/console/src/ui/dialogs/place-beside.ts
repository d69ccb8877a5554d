import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { type Box, besideBoxes, besidePoint } from './free-spot.ts'

/** A point of the screen. After a drag also what the dialog must not cover: first where it ended. */
export type Place = { x: number; y: number; clear?: () => Box[] }

let pressed: Place | null = null
/** What a drag has lifted, where it was. */
let lifted: Box | null = null
addEventListener('pointerdown', ({ target }) => {
  lifted = (target as Element).closest?.('.entry-mark')?.getBoundingClientRect() ?? null
})
// Where a drag ends, too.
for (const kind of ['pointerdown', 'pointerup'] as const)
  addEventListener(kind, ({ clientX, clientY }) => {
    pressed = { x: clientX, y: clientY }
  })
addEventListener('keydown', () => {
  pressed = null
})

/** Where the user has just pressed: the pointer, or what has the focus. */
export function pressedPoint(): Place {
  if (pressed) return pressed
  const { right, top } = (document.activeElement ?? document.body).getBoundingClientRect()
  return { x: right, y: top }
}

/** Where a drag has just ended. What was dropped is found by its selector, once it is drawn. */
export async function droppedPlace(selector: string): Promise<Place> {
  const [at, from] = [pressedPoint(), lifted]
  const find = () => document.querySelector(selector)?.getBoundingClientRect()
  for (let frame = 0; frame < 10 && !find(); frame++) await new Promise(resolve => setTimeout(resolve, 16))
  return { ...at, clear: () => [find(), from].filter(one => one != null) }
}

/** Keeps a dialog beside a place and on the screen, also when it grows. A phone has no room beside anything. */
export function usePlace(dialog: RefObject<HTMLElement | null>, at: Place | undefined) {
  useLayoutEffect(() => {
    const element = dialog.current!
    if (!at) return
    const place = () => {
      if (innerWidth <= 760) return element.style.removeProperty('inset')
      const size = { width: element.offsetWidth, height: element.offsetHeight }
      const screen = { width: innerWidth, height: innerHeight }
      const boxes = at.clear?.() ?? []
      const { x, y } = boxes.length > 0 ? besideBoxes(boxes, size, screen) : besidePoint(at, size, screen)
      Object.assign(element.style, { inset: `${y}px auto auto ${x}px`, margin: '0' })
    }
    place()
    const observer = new ResizeObserver(place)
    observer.observe(element)
    addEventListener('resize', place)
    return () => {
      observer.disconnect()
      removeEventListener('resize', place)
    }
  }, [])
}
