import type { ComponentChildren } from 'preact'
import { flushSync } from 'preact/compat'
import { useEffect, useRef, useState } from 'preact/hooks'

type Props<T> = {
  rows: T[]
  draw: (row: T, index: number) => ComponentChildren
  /** An estimate in pixels, until the part has been drawn once. */
  heightOf: (row: T) => number
  partSize: number
  /** Attributes of the row that stands for a part that is not drawn. */
  standIn?: (rows: T[]) => Record<string, unknown>
}

/**
 * The rows of a long table, in parts. Only parts near the viewport are drawn; the others keep their height. On
 * paper, all are.
 */
export function LongBody<T>({ rows, draw, heightOf, partSize, standIn }: Props<T>) {
  const isPrinting = usePrinting()
  const starts = Array.from({ length: Math.ceil(rows.length / partSize) }, (_, part) => part * partSize)
  return (
    <>
      {starts.map(start => {
        const part = rows.slice(start, start + partSize)
        return (
          <Part
            key={start}
            isDrawn={start === 0 || isPrinting}
            height={() => part.reduce((sum, row) => sum + heightOf(row), 0)}
            attributes={() => standIn?.(part) ?? {}}
            draw={() => part.map((row, index) => draw(row, start + index))}
          />
        )
      })}
    </>
  )
}

type PartProps = {
  isDrawn: boolean
  height: () => number
  attributes: () => Record<string, unknown>
  draw: () => ComponentChildren
}

const margin = '300px 0px'

function Part({ isDrawn, height, attributes, draw }: PartProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const measured = useRef<number | null>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const place = body.current!
    const seen = new IntersectionObserver(
      all => {
        const isInSight = all.at(-1)!.isIntersecting
        if (!isInSight && place.childElementCount > 1) measured.current = place.offsetHeight
        // Removing the focused element would send the keyboard back to the top of the page.
        setNear(isInSight || place.contains(document.activeElement))
      },
      { root: place.closest('[data-scrolls]'), rootMargin: margin },
    )
    seen.observe(place)
    return () => seen.disconnect()
  }, [])
  return (
    <tbody ref={body}>
      {isDrawn || isNear ? (
        draw()
      ) : (
        <tr style={{ blockSize: `${measured.current ?? height()}px` }} {...attributes()}>
          <td colSpan={100} />
        </tr>
      )}
    </tbody>
  )
}

/** Rendered before the browser lays out the pages. */
export function usePrinting(): boolean {
  const [isPrinting, set] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => set(true))
    const end = () => set(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}
