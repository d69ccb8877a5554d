/**
 * Draws, and keeps the focus on the page: if the focused element is gone afterwards, the heading of its dialog
 * or page takes it. Without this, Tab would start over and screen readers would lose their place.
 */
export function keepFocus(draw: () => void) {
  const before = document.activeElement
  draw()
  if (before === document.body || before?.isConnected !== false) return
  if (document.activeElement === document.body) focusHeading()
}

/** Of the topmost dialog, or of the page. */
export function focusHeading() {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const heading = dialog
    ? dialog.querySelector<HTMLElement>('h2')
    : document.querySelector<HTMLElement>('main h1')
  // The reader stays where they are.
  heading?.focus({ preventScroll: true })
}
