import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'

export const languages = ['de', 'en', 'fr', 'es', 'it'] as const
export type Language = (typeof languages)[number]

/** Every word that visitors see. English is the pattern: a text that another language lacks is a type error. */
export type Texts = { [K in keyof typeof en]: (typeof en)[K] extends string ? string : (typeof en)[K] }

export const texts: Record<Language, Texts> = { de, en, fr, es, it }
