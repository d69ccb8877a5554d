/** The languages of pages, emails and messages. */
export const languages = ['de', 'en', 'fr', 'es', 'it'] as const

export type Language = (typeof languages)[number]

/** The same names and parameters, with other texts. */
export type Like<T> = {
  [K in keyof T]: T[K] extends string ? string : T[K] extends Function ? T[K] : Like<T[K]>
}

/** Texts in all languages. English defines their names and parameters; a missing text is a type error. */
export const translated = <T>(
  texts: { en: T } & Record<Exclude<Language, 'en'>, Like<NoInfer<T>>>,
): Record<Language, Like<T>> => texts as Record<Language, Like<T>>

export function isLanguage(text: string): text is Language {
  return (languages as readonly string[]).includes(text)
}

/** `de-AT` becomes `de`; null for an unsupported language. */
export function spokenLanguage(tag: string | null | undefined): Language | null {
  const base = tag?.trim().toLowerCase().split(/[-_]/)[0] ?? ''
  return isLanguage(base) ? base : null
}

export function pickLanguage(tag: string | null | undefined, fallback: Language): Language {
  return spokenLanguage(tag) ?? fallback
}

/** `en_us` becomes `en-US`, for the region's dates and hours. Null for an unsupported language. */
export function regionalTag(tag: string | null | undefined): string | null {
  if (!spokenLanguage(tag)) return null
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag!.trim().replaceAll('_', '-'))[0] ?? null
  } catch {
    return null
  }
}

/** The first supported language of `Accept-Language`; null if there is none. */
export function acceptedLanguage(header: string | undefined): Language | null {
  const tags = (header ?? '').split(',').map(part => part.split(';')[0])
  return tags.map(spokenLanguage).find(one => one !== null) ?? null
}
