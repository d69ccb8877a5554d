import { useEffect } from 'preact/hooks'

export type Shortcut = { keys: string; does: string; run: () => void }

const known = new Map<string, Shortcut>()
let before = ''
let forgetting: ReturnType<typeof setTimeout> | undefined
let ahead = ''

/** Returns and clears what was typed before the dialog appeared. */
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
  // Keys pressed while a dialog is opening belong to that dialog.
  const isOpening = document.querySelector('[data-opening]') !== null
  ahead = isOpening && event.key.length === 1 ? ahead + event.key : ''
  if (isOpening) return
  const pressed = `${before} ${event.key}`.trim()
  const key = known.get(pressed) ?? known.get(event.key)
  before = known.has(pressed) ? '' : event.key
  // Cancels the previous timer, which would otherwise end this sequence early.
  clearTimeout(forgetting)
  forgetting = setTimeout(() => {
    before = ''
  }, 1000)
  if (!key) return
  event.preventDefault()
  key.run()
})

/** Shortcuts such as `t` or `g c`, active while the component is mounted. */
export function useShortcuts(keys: Shortcut[]) {
  useEffect(() => {
    for (const key of keys) known.set(key.keys, key)
    return () => {
      for (const key of keys) if (known.get(key.keys) === key) known.delete(key.keys)
    }
  })
}

export const allShortcuts = (): Shortcut[] => [...known.values()]
