// What consumers have been promised at one Resource with overlapping slots: their holds and bookings. Predicts what a list
// must show.

import type { Slot } from './consumer.ts'

export type Place = { slot: Slot; appointment: string }
export type Hold = Place & { placeholder: string; until: number; mover: Person | null }
export type Person = {
  email: string
  moveLink: string
  cancelLink: string
  state: string
  has: Place
  /** The place they have requested instead. */
  requested: Place | null
}

export class Promises {
  capacity: number
  /** The clock of the service. */
  now: () => number
  holds: Hold[] = []
  people: Person[] = []

  constructor(capacity: number, now: () => number) {
    this.capacity = capacity
    this.now = now
  }

  live = () => this.holds.filter(one => one.until > this.now())

  drop(hold: Hold | null) {
    this.holds = this.holds.filter(one => one !== hold)
  }

  /** As the database should have it. */
  texts(): string[] {
    const held = this.live().map(one => textOf('RESERVED', one.placeholder, one))
    const had = this.people.flatMap(({ email, state, has, requested }) => [
      textOf(state, email, has),
      ...(requested ? [textOf('REQUESTED', email, requested)] : []),
    ])
    return [...held, ...had].sort()
  }

  /** What the public list offers at each of these times. */
  offered(slots: Slot[]): string[] {
    const places: Place[] = [
      ...this.live(),
      ...this.people.flatMap(one => (one.requested ? [one.has, one.requested] : [one.has])),
    ]
    const left = ({ start }: Slot) => {
      const [first, ...others] = new Set(
        places.filter(one => isBeside(one.slot.start, start)).map(one => one.appointment),
      )
      if (!first) return this.capacity
      const inside = places.filter(one => one.appointment === first)
      const at = inside[0]!.slot.start
      // While a consumer has both of two overlapping places, no one else can join either.
      const isShared = places.some(one => one.appointment !== first && isBeside(one.slot.start, at))
      return others.length > 0 || at !== start || isShared ? 0 : this.capacity - inside.length
    }
    return slots.filter(one => left(one) > 0).map(one => `${one.start} ${left(one)}`)
  }
}

/** Half an hour each. */
const isBeside = (one: string, other: string) => Math.abs(Date.parse(one) - Date.parse(other)) < 1_800_000

export const textOf = (state: string, who: string, { slot, appointment }: Place) =>
  `${state} ${who} ${new Date(slot.start).toISOString()} ${appointment}`
