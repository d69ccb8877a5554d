// The grid of a Timeslot: slots of `raster` minutes of elapsed time since its start. Elapsed, not local, so
// that a Timeslot across a clock change has as many slots as it has time.

import { MINUTE } from '../time/civil.ts'

/** The starts of all whole slots in [start, end). */
export function rasterLines(start: number, end: number, raster: number): number[] {
  return Array.from({ length: slotCount(start, end, raster) }, (_, index) => start + index * raster * MINUTE)
}

/** A remainder shorter than the raster is not a slot. */
export function slotCount(start: number, end: number, raster: number): number {
  return Math.max(0, Math.floor((end - start) / (raster * MINUTE)))
}

export function isOnRaster(start: number, raster: number, at: number): boolean {
  return at >= start && (at - start) % (raster * MINUTE) === 0
}

export function roundUpToRaster(minutes: number, raster: number): number {
  return Math.ceil(minutes / raster) * raster
}
