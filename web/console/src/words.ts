import { pickLocale } from '#shared/locale.ts'
import type { Language } from '#shared/texts/index.ts'

// Each page has its texts beside it, in all languages. English defines the keys; a missing translation is a
// type error.

type Like<T> = { [K in keyof T]: T[K] extends string ? string : T[K] }

const remembered = 'holdfast-console-language'

export const locale = pickLocale([localStorage.getItem(remembered)], navigator.languages)
document.documentElement.lang = locale.language

/** A page's texts in the reader's language. */
export function words<T extends object>(
  catalogue: { en: T } & Record<Exclude<Language, 'en'>, Like<T>>,
): Like<T> {
  return catalogue[locale.language] as Like<T>
}

/** For a button that opens a dialog. German sets a space before the ellipsis. */
export const withEllipsis = (label: string) => `${label}${locale.language === 'de' ? '\u00a0…' : '…'}`

/** Reloads, so that no page is half translated. */
export function chooseLanguage(language: Language) {
  localStorage.setItem(remembered, language)
  location.reload()
}

/** A language in its own name: Deutsch, English, ... */
export const languageName = (language: Language) =>
  new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
