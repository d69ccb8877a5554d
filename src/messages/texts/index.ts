import type { Language } from '../../languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import type { Texts } from './shape.ts'

const catalogue: Record<Language, Texts> = { de, en, fr, es, it }

export function textsIn(language: Language): Texts {
  return catalogue[language]
}
