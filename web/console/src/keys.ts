import { useEffect } from 'preact/hooks'

export type Key = { keys: string; does: string; run: () => void }

const known = new Map<string, Key>()
let before = ''
let forgetting: ReturnType<typeof setTimeout> | undefined
let ahead = ''

/** What was typed before the dialog was there; once. */
export function typedAhead(): string {
  const text = ahead
  ahead = ''
  return text
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  if (document.querySelector('dialog[open]')) return
  // Whoever types ahead of a dialog that is still on its way means that dialog.
  const isOpening = document.querySelector('[data-opening]') !== null
  ahead = isOpening && event.key.length === 1 ? ahead + event.key : ''
  if (isOpening) return
  const pressed = `${before} ${event.key}`.trim()
  const key = known.get(pressed) ?? known.get(event.key)
  before = known.has(pressed) ? '' : event.key
  // Only this one: a key that was pressed before it would end what begins now.
  clearTimeout(forgetting)
  forgetting = setTimeout(() => {
    before = ''
  }, 1000)
  if (!key) return
  event.preventDefault()
  key.run()
})

/** Keys that work as long as the component is shown, such as `t` or `g c`. */
export function useKeys(keys: Key[]) {
  useEffect(() => {
    for (const key of keys) known.set(key.keys, key)
    return () => {
      for (const key of keys) if (known.get(key.keys) === key) known.delete(key.keys)
    }
  })
}

export const allKeys = (): Key[] => [...known.values()]
