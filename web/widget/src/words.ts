import { type Format, makeFormat } from '#shared/format.ts'
import type { Locale } from '#shared/locale.ts'
import { type Language, type Texts, texts } from '#shared/texts/index.ts'
import { Problem } from './problems.ts'
import { addStyles } from './style.ts'

/** The texts change when more of them load, and when the widget turns out to move a booking. */
export type Words = {
  texts: Texts
  format: Format
  language: Language
  /** Loads the texts for the steps after choosing a time. Those steps wait for it. */
  complete(): Promise<void>
}

type Later = () => Promise<{ default: Partial<Texts> }>

const later: Record<Language, Later> = {
  de: () => import('../../shared/texts/de.ts?later'),
  en: () => import('../../shared/texts/en.ts?later'),
  es: () => import('../../shared/texts/es.ts?later'),
  fr: () => import('../../shared/texts/fr.ts?later'),
  it: () => import('../../shared/texts/it.ts?later'),
}

export function makeWords({ language, tag }: Locale): Words {
  const words: Words = {
    texts: texts[language],
    format: makeFormat(tag),
    language,
    async complete() {
      const [more, { zoneNamesIn }] = await Promise.all([
        later[language](),
        import('#shared/zone-names.ts'),
        import('./later-style.ts').then(one => addStyles(one.laterStyle)),
      ]).catch(error => {
        throw new Problem(navigator.onLine ? 'unreachable' : 'offline', { cause: error })
      })
      words.texts = { ...more.default, ...words.texts }
      words.format = makeFormat(tag, zoneNamesIn(language))
    },
  }
  return words
}
