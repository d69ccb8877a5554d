import type { en } from './en.ts'

/**
 * All texts that visitors see. English defines the shape: a text missing in another language is a type error.
 */
export type Texts = { [K in keyof typeof en]: (typeof en)[K] extends string ? string : (typeof en)[K] }
