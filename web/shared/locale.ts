import { type Language, languages } from './texts/index.ts'

/** `isGuess`: no supported language was requested. */
export type Locale = { language: Language; tag: string; firstWeekday: number; isGuess: boolean }

const base = (tag: string) => tag.toLowerCase().split(/[-_]/)[0]!
const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text)

/**
 * The first requested language that we support. Its region, or the browser's for that language, decides 12 or
 * 24 hours and the first weekday.
 */
export function pickLocale(preferred: (string | null | undefined)[], browser: readonly string[]): Locale {
  const found = [...preferred, ...browser].find(found => found && isLanguage(base(found)))
  const tag = found ?? 'en'
  const language = base(tag) as Language
  const regional = /[-_]/.test(tag) ? tag : (browser.find(one => base(one) === language) ?? tag)
  const known = supported(regional.replace('_', '-')) ?? language
  return { language, tag: known, firstWeekday: firstWeekdayOf(known), isGuess: !found }
}

function supported(tag: string): string | null {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag)[0] ?? null
  } catch {
    return null
  }
}

type WithWeek = Intl.Locale & { getWeekInfo?(): { firstDay: number }; weekInfo?: { firstDay: number } }

/** 1 is Monday. If the browser does not know: Sunday in America, Monday elsewhere. */
export function firstWeekdayOf(tag: string): number {
  const locale = new Intl.Locale(tag).maximize() as WithWeek
  const info = locale.getWeekInfo?.() ?? locale.weekInfo
  return info?.firstDay ?? (locale.region === 'US' || locale.region === 'CA' ? 7 : 1)
}
