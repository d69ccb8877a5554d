import type { Like } from '../../languages.ts'
import type { en } from './en.ts'

/** English defines the texts: one that is missing in another language is a type error. */
export type Texts = Like<typeof en>
