import { englishZone, type Format, makeFormat, zoneNamesBy } from '#shared/format.ts'
import type { Locale } from '#shared/locale.ts'
import { en } from '#shared/texts/en.ts'
import type { Language, Texts } from '#shared/texts/index.ts'
import { cityOf } from '#shared/zones.ts'
import { Problem } from './problems.ts'

/** The texts change when more of them load, and when the widget turns out to move a booking. */
export type Words = {
  texts: Texts
  format: Format
  language: Language
  /** Loads the language, unless it is English. Nothing is shown before. */
  begin(): Promise<void>
  /** Loads the texts and the code for the steps after choosing a time. Those steps wait for it. */
  complete(): Promise<void>
  loadSteps: LoadSteps
}

/** The code of those steps, with what else is needed only then. */
type LoadSteps = () => Promise<{ didYouMean(email: string): string | null }>

/** Of English, what the main file lacks; of other languages, everything. */
const laterTexts: Record<Language, () => Promise<{ default: Partial<Texts> }>> = {
  de: () => import('../../shared/texts/de.ts?later'),
  en: () => import('../../shared/texts/en.ts?later'),
  es: () => import('../../shared/texts/es.ts?later'),
  fr: () => import('../../shared/texts/fr.ts?later'),
  it: () => import('../../shared/texts/it.ts?later'),
}

const known: Partial<Record<Language, Texts>> = { en }

/** Languages that were loaded once are there from the first paint on. */
export async function loadTexts(language: Language): Promise<void> {
  known[language] ??= { ...en, ...(await laterTexts[language]()).default }
}

export function makeWords({ language, tag }: Locale, loadSteps: LoadSteps): Words {
  const isEnglish = language === 'en'
  const words: Words = {
    texts: known[language] ?? en,
    format: makeFormat(tag, isEnglish ? zoneNamesBy(englishZone) : undefined),
    language,
    loadSteps,
    async begin() {
      if (known[language]) return
      await orProblem(loadTexts(language))
      words.texts = known[language]!
    },
    async complete() {
      const [more, named] = await orProblem(
        Promise.all([
          isEnglish && laterTexts.en(),
          !isEnglish && import('#shared/zone-words.ts'),
          loadSteps(),
        ]),
      )
      if (more) words.texts = { ...more.default, ...words.texts }
      if (language === 'en' || !named) return
      const city = (zone: string) => named.cityName(language, cityOf(zone))
      words.format = makeFormat(tag, zoneNamesBy(named.inWords[language], city))
    },
  }
  return words
}

const orProblem = <T>(loading: Promise<T>) =>
  loading.catch(cause => {
    throw new Problem(navigator.onLine ? 'unreachable' : 'offline', { cause })
  })
