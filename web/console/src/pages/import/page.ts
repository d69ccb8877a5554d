import type { Schemas } from '../../records.ts'
import { locale } from '../../words.ts'

export type ImportPage = Schemas['ImportPage']

const number = new Intl.NumberFormat(locale.tag)
export const numberText = (value: number) => number.format(value)
