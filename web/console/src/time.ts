import { makeFormat } from '../../shared/format.ts'
import { browserZone, dayAt } from '../../shared/zones.ts'
import { locale } from './words.ts'

/** Dates and times as this reader writes them. */
export const format = makeFormat(locale.tag)

export const instant = (text: string): number => Date.parse(text)

export const timeRange = (start: string, end: string, zone: string) =>
  `${format.time(instant(start), zone)} – ${format.time(instant(end), zone)}`

export const today = (zone: string) => dayAt(Date.now(), zone)

/** When something happened, on the reader's own clock. */
export const moment = (text: string | null | undefined, zone = browserZone()) =>
  text ? format.when(instant(text), zone) : '–'
