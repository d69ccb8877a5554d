/** The attributes that the host page can set. */
export const attributes = [
  'business',
  'resource',
  'ref',
  'base-url',
  'channel-key',
  'product',
  'date',
  'selected-resource',
  'time-zone',
  'move-token',
  'lang',
  'theme',
] as const

// Every element already has `lang`.
const properties = attributes.filter(name => name !== 'lang').map(name => [name, propertyOf(name)] as const)

/** Each attribute is a property too: `base-url` is `baseUrl`. */
export function addProperties(prototype: HTMLElement) {
  for (const [name, property] of properties)
    Object.defineProperty(prototype, property, {
      get(this: HTMLElement) {
        return this.getAttribute(name)
      },
      set(this: HTMLElement, value: unknown) {
        if (value === null || value === undefined) this.removeAttribute(name)
        else this.setAttribute(name, String(value))
      },
      enumerable: true,
      configurable: true,
    })
}

/** Properties set before the module loaded sit on the element itself and would hide ours. */
export function adoptProperties(element: HTMLElement) {
  const own = element as unknown as Record<string, unknown>
  for (const [_first, property] of properties) {
    if (!Object.hasOwn(element, property)) continue
    const value = own[property]
    delete own[property]
    own[property] = value
  }
}

function propertyOf(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
