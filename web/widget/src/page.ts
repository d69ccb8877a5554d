/** On our own pages (/book, /booked, /move) the widget is the main content and may set the title. */
export const isOwnPage = (baseUrl: string): boolean =>
  baseUrl === location.origin && /^\/(book|move)/.test(location.pathname)

/** Sets the title to the current step, in its language. */
export function namePage(root: ShadowRoot, language: string, provider: string | undefined) {
  const heading = (root.querySelector('h3') ?? root.querySelector('h2'))?.textContent
  document.documentElement.lang = language
  if (heading && provider) document.title = `${heading} – ${provider}`
}

/** If drawing removes the focused element, the focus moves to the times, or to the heading of the step. */
export function keepFocus(root: ShadowRoot, draw: () => void) {
  const before = root.activeElement
  draw()
  if (!before || root.activeElement || before.isConnected) return
  const next = root.querySelector<HTMLElement>('.slots h4') ?? root.querySelector<HTMLElement>('h3')
  next?.focus()
}
