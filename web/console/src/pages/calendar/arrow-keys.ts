import { useEffect } from 'preact/hooks'

const directions: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Arrow keys move to the nearest entry in that direction; without one they change the page as usual. */
export function useArrows() {
  useEffect(() => {
    // Runs before the handler that changes the page.
    addEventListener('keydown', followArrows, { capture: true })
    return () => removeEventListener('keydown', followArrows, { capture: true })
  }, [])
}

function followArrows(event: KeyboardEvent) {
  const way = directions[event.key]
  const from = (event.target as Element).closest<HTMLElement>('.mark')
  const frame = from?.closest<HTMLElement>('.calendar, .calendar-list')
  if (!way || !frame || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
  const to = nearest(frame, from!, way)
  if (!to) return
  event.preventDefault()
  event.stopPropagation()
  to.focus()
}

function nearest(frame: HTMLElement, from: HTMLElement, way: { x: number; y: number }): HTMLElement | null {
  const start = corner(from)
  let best: { mark: HTMLElement; far: number } | null = null
  for (const mark of frame.querySelectorAll<HTMLElement>('.mark')) {
    const { x, y } = corner(mark)
    const ahead = (x - start.x) * way.x + (y - start.y) * way.y
    const aside = Math.abs((x - start.x) * way.y) + Math.abs((y - start.y) * way.x)
    const far = ahead + 3 * aside
    if (mark !== from && ahead > 4 && (!best || far < best.far)) best = { mark, far }
  }
  return best?.mark ?? null
}

function corner(mark: HTMLElement) {
  const { left, top } = mark.getBoundingClientRect()
  return { x: left, y: top }
}
