import { englishZone, zoneNamesBy } from './format.ts'
import type { Language } from './texts/index.ts'
import { cityName, inWords } from './zone-words.ts'
import { cityOf, isPlace } from './zones.ts'

// Time zones in words: 'Berlin time', 'Zeit in Berlin', 'heure de Berlin'.

const wordsIn = { ...inWords, en: englishZone }
const cityIn = (language: Language) => (zone: string) => cityName(language, cityOf(zone))

export const zoneNamesIn = (language: Language) => zoneNamesBy(wordsIn[language], cityIn(language))

/** 'Berlin time', to go on in a sentence; null for zones that are only an offset. */
export const zoneName = (language: Language, zone: string): string | null =>
  isPlace(zone) ? wordsIn[language](cityIn(language)(zone)) : null

export const zoneLabel = (language: Language, zone: string, offset: string): string =>
  zoneNamesIn(language).label(zone, offset)
