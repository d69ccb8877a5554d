import { invalidField, notAfterStart } from '../../errors.ts'
import { slotCount } from './slot-grid.ts'

const minute = 60_000
const day = 24 * 60 * minute

export const maximumRaster = 1440
export const maximumCapacity = 100_000
const maximumDays = 366
const maximumSlots = 10_000

type Grid = { start: number; end: number; raster: number }

/** Refuses a Timeslot that cannot be divided into slots, or only into too many. `at` names it in a batch. */
export function checkGrid({ start, end, raster }: Grid, at = '') {
  if (end <= start) throw notAfterStart(`${at}end`, `${at}start`)
  if (raster * minute > end - start)
    throw invalidField(`${at}raster`, `${at}raster must not be longer than the Timeslot.`)
  if (end - start > maximumDays * day)
    throw invalidField(`${at}end`, `A Timeslot may last ${maximumDays} days at the most.`)
  if (slotCount(start, end, raster) > maximumSlots)
    throw invalidField(
      `${at}raster`,
      `A Timeslot may have ${maximumSlots} slots at the most: choose a longer raster or a shorter window.`,
    )
}
