import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

export type Point = { x: number; y: number }

const gap = 12

let pressed: Point | null = null
// Where a drag ends, too.
for (const kind of ['pointerdown', 'pointerup'] as const)
  addEventListener(kind, ({ clientX, clientY }) => {
    pressed = { x: clientX, y: clientY }
  })
addEventListener('keydown', () => {
  pressed = null
})

/** Where the user has just pressed: the pointer, or what has the focus. */
export function pressedPoint(): Point {
  if (pressed) return pressed
  const { right, top } = (document.activeElement ?? document.body).getBoundingClientRect()
  return { x: right, y: top }
}

/** Keeps a dialog beside a point and on the screen, also when it grows. A phone has no room beside anything. */
export function usePlace(dialog: RefObject<HTMLElement | null>, at: Point | undefined) {
  useLayoutEffect(() => {
    const element = dialog.current!
    if (!at) return
    const place = () => {
      if (innerWidth <= 760) return element.style.removeProperty('inset')
      const { offsetWidth: width, offsetHeight: height } = element
      const isLeft = at.x + gap + width > innerWidth - gap
      const left = Math.max(gap, isLeft ? at.x - gap - width : at.x + gap)
      const top = Math.max(gap, Math.min(at.y - 2 * gap, innerHeight - height - gap))
      Object.assign(element.style, { inset: `${top}px auto auto ${left}px`, margin: '0' })
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
