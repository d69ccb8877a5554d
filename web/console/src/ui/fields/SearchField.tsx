import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Field } from './Field.tsx'

type Props = { label: string; value: string; onInput: (text: string) => void }

/** The page's search box, focused with `/`. */
export function SearchField({ label, value, onInput }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useSearchBox(box)
  return (
    <Field label={label}>
      {ids => (
        <input
          {...ids}
          ref={box}
          type="search"
          autocomplete="off"
          value={value}
          onInput={event => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

// The key `/` focuses the search box, even if its page has to be opened first.

const longestMs = 3000

let focusBox: (() => void) | null = null

/**
 * Returns true if the box is on this page and now has the focus. Otherwise keys are buffered until it
 * appears.
 */
export function wantSearch(): boolean {
  if (!focusBox) isAwaited(true)
  focusBox?.()
  return focusBox !== null
}

function useSearchBox(box: RefObject<HTMLInputElement | null>) {
  useLayoutEffect(() => {
    focusBox = () => box.current?.focus()
    if ('opening' in document.documentElement.dataset) focusBox()
    isAwaited(false)
    return () => {
      focusBox = null
    }
  }, [box])
}

/** Gives up if the page never appears, so that keys work again. */
function isAwaited(now: boolean) {
  if (now) document.documentElement.dataset.opening = 'search'
  else delete document.documentElement.dataset.opening
  if (now) setTimeout(() => isAwaited(false), longestMs)
}
