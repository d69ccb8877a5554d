import { type Locale, pickLocale } from '#shared/locale.ts'

/** The host page's attributes, parsed. */
export type Options = {
  refs: string[]
  /** Instead of refs, which it leads to. */
  business: string | null
  baseUrl: string
  channelKey: string | undefined
  product: string | null
  date: string | null
  resource: string | null
  zone: string | null
  /** From the link that moves a booking. */
  token: string | undefined
  locale: Locale
}

type Read = (name: string) => string | null
type Page = { moduleUrl: string; pageLanguage: string; browserLanguages: readonly string[] }

export const optionsOf = (element: Element): Options =>
  readOptions(name => element.getAttribute(name), {
    moduleUrl: import.meta.url,
    pageLanguage: element.closest('[lang]')?.getAttribute('lang') ?? '',
    browserLanguages: navigator.languages,
  })

export function readOptions(attribute: Read, { moduleUrl, pageLanguage, browserLanguages }: Page): Options {
  const text = (name: string) => attribute(name)?.trim() || null
  const business = text('business')
  return {
    business,
    // React and Vue reserve `ref`, so it is only an alias.
    refs: listOf(business ?? attribute('resource') ?? attribute('ref')),
    // Defaults to the origin of this module.
    baseUrl: (text('base-url') ?? new URL(moduleUrl).origin).replace(/\/+$/, ''),
    channelKey: text('channel-key') ?? undefined,
    product: text('product'),
    date: text('date'),
    resource: text('selected-resource'),
    zone: text('time-zone'),
    token: text('move-token')
      ?.replace(/[?#].*/, '')
      .split('/')
      .at(-1),
    locale: pickLocale([text('lang'), pageLanguage], browserLanguages),
  }
}

export const listOf = (refs: string | null): string[] =>
  (refs ?? '')
    .split(',')
    .map(ref => ref.trim())
    .filter(Boolean)
