import { makeFormat } from '../../shared/format.ts'
import { dayAt } from '../../shared/zones.ts'
import { locale } from './words.ts'

/** Dates and times as this reader writes them. */
export const format = makeFormat(locale.tag)

export const instant = (text: string): number => Date.parse(text)

export const timeRange = (start: string, end: string, zone: string) =>
  `${format.time(instant(start), zone)} – ${format.time(instant(end), zone)}`

export const today = (zone: string) => dayAt(Date.now(), zone)
