import { pickLocale } from '#shared/locale.ts'
import type { Language } from '#shared/texts/index.ts'

// Each page keeps its words beside it, in all languages: English is the pattern, and a language that lacks a text is a
// type error.

type Like<T> = { [K in keyof T]: T[K] extends string ? string : T[K] }

const remembered = 'holdfast-console-language'

export const locale = pickLocale([localStorage.getItem(remembered)], navigator.languages)
document.documentElement.lang = locale.language

/** The words of a page in the reader's language. */
export function words<T extends object>(
  catalogue: { en: T } & Record<Exclude<Language, 'en'>, Like<T>>,
): Like<T> {
  return catalogue[locale.language] as Like<T>
}

/** Everything is drawn anew: no half-translated page. */
export function chooseLanguage(language: Language) {
  localStorage.setItem(remembered, language)
  location.reload()
}

/** A language in its own name: Deutsch, English, ... */
export const languageName = (language: Language) =>
  new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
