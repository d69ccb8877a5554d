import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import type { Texts } from './shape.ts'

export type { Texts } from './shape.ts'

export const languages = ['de', 'en', 'fr', 'es', 'it'] as const
export type Language = (typeof languages)[number]

export const texts: Record<Language, Texts> = { de, en, fr, es, it }
