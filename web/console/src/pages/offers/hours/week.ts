import type { OpeningRule } from '../../../records.ts'

// Converts opening rules to bands of a week, which people edit, and back.

/** A rule being edited; a new one has no uuid yet. */
export type Rule = Omit<OpeningRule, 'uuid'> & { uuid: string | null }

export type Settings = Pick<
  Rule,
  'raster' | 'capacity' | 'acceptBookings' | 'validFrom' | 'validUntil' | 'everyWeeks' | 'weekOf'
>

/**
 * One opening on one weekday; 1 is Monday. In minutes since midnight, over 1440 if it runs into the next day.
 */
export type Band = Settings & { uuid: string | null; weekday: number; from: number; to: number }

export const dayMinutes = 1440
export const everyDay = [1, 2, 3, 4, 5, 6, 7]

export const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

export function clockOf(minutes: number): string {
  const shown = minutes > dayMinutes ? minutes - dayMinutes : minutes
  return `${String(Math.floor(shown / 60)).padStart(2, '0')}:${String(shown % 60).padStart(2, '0')}`
}

export function bandsOf(rules: Rule[]): Band[] {
  return rules
    .flatMap(({ weekdays, from, to, ...rest }) => {
      const start = minutesOf(from)
      const end = minutesOf(to)
      const span = { from: start, to: end > start ? end : end + dayMinutes }
      return weekdays.map(day => ({ ...rest, ...span, weekday: Number(day) }))
    })
    .sort(inOrder)
}

/** Days with equal times and settings share a rule. An existing rule keeps its uuid. */
export function rulesOf(bands: Band[]): Rule[] {
  const groups = new Map<string, Band[]>()
  for (const band of [...bands].sort(inOrder)) {
    const { weekday: _, uuid: __, ...rest } = band
    const key = JSON.stringify(rest, Object.keys(rest).sort())
    groups.set(key, [...(groups.get(key) ?? []), band])
  }
  const taken = new Set<string>()
  return [...groups.values()].map(group => {
    const { weekday: _, uuid: __, from, to, ...rest } = group[0]!
    const uuid = group.map(band => band.uuid).find(one => one !== null && !taken.has(one)) ?? null
    if (uuid) taken.add(uuid)
    const weekdays = group.map(band => String(band.weekday))
    return { ...rest, uuid, weekdays, from: clockOf(from), to: clockOf(to) }
  })
}

/** Opens this time and merges it with adjoining bands. */
export function paint(bands: Band[], weekday: number, from: number, to: number, settings: Settings): Band[] {
  const rest = erase(bands, weekday, from, to)
  const next: Band = { ...settings, uuid: null, weekday, from, to }
  const beside = rest.filter(band => isBeside(band, next))
  const grown: Band = {
    ...next,
    uuid: beside.find(band => band.uuid)?.uuid ?? null,
    from: Math.min(from, ...beside.map(band => band.from)),
    to: Math.max(to, ...beside.map(band => band.to)),
  }
  return [...rest.filter(band => !beside.includes(band)), grown].sort(inOrder)
}

/** Closes this time; parts outside it stay open. */
export function erase(bands: Band[], weekday: number, from: number, to: number): Band[] {
  return bands
    .flatMap(band => {
      if (band.weekday !== weekday || band.to <= from || band.from >= to) return [band]
      const before = { ...band, to: from }
      const after = { ...band, from: to, uuid: band.from < from ? null : band.uuid }
      return [before, after].filter(part => part.to > part.from)
    })
    .sort(inOrder)
}

const isBeside = (band: Band, other: Band) =>
  band.weekday === other.weekday &&
  (band.to === other.from || band.from === other.to) &&
  band.raster === other.raster &&
  band.capacity === other.capacity &&
  band.acceptBookings === other.acceptBookings &&
  band.validFrom === other.validFrom &&
  band.validUntil === other.validUntil

const inOrder = (one: Band, other: Band) => one.weekday - other.weekday || one.from - other.from
