import { invalidField, notAfterStart } from '../../errors.ts'
import { DAY, MINUTE } from '../time/civil.ts'

export const maximumRaster = 1440
export const maximumCapacity = 100_000
const maximumDays = 366
const maximumSlots = 10_000

type Grid = { start: number; end: number; raster: number }

/** Refuses a Timeslot that cannot be divided into slots, or only into too many. `at` names it in a batch. */
export function checkGrid({ start, end, raster }: Grid, at = '') {
  if (end <= start) throw notAfterStart(`${at}end`, `${at}start`)
  if (raster * MINUTE > end - start) throw invalidField(`${at}raster`, 'raster')
  if (end - start > maximumDays * DAY)
    throw invalidField(`${at}end`, 'max-days:timeslot', { limit: maximumDays })
  if (slotCount(start, end, raster) > maximumSlots)
    throw invalidField(`${at}raster`, 'max-count:slots', { limit: maximumSlots })
}

// The grid of a Timeslot: slots of `raster` minutes of elapsed time since its start. Elapsed, not local, so
// that a Timeslot across a clock change has as many slots as it has time.

/** The starts of all whole slots in [start, end). */
export function rasterLines(start: number, end: number, raster: number): number[] {
  return Array.from({ length: slotCount(start, end, raster) }, (_, index) => start + index * raster * MINUTE)
}

/** A remainder shorter than the raster is not a slot. */
export function slotCount(start: number, end: number, raster: number): number {
  return Math.max(0, Math.floor((end - start) / (raster * MINUTE)))
}
