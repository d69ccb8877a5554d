import type { en } from './en.ts'

/** Every word that visitors see. English is the pattern: a text that another language lacks is a type error. */
export type Texts = { [K in keyof typeof en]: (typeof en)[K] extends string ? string : (typeof en)[K] }
