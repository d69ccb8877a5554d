// Two want to give the same booking another time. Whoever comes second has an old picture of it and is told so, instead of undoing
// what the first was just promised.

export type LastMove = {
  /** Null: it is where it was made. In milliseconds and fractions of them, as is `now`. */
  movedAt: number | null
  now: number
}

/** `since`: when the wish came in, by the clock of the database. */
export type Sight = { movedAt: number | null; since: number }

/**
 * `age`: for how long the wish has been with us, now that the last move is known. A little more than the database's `now` tells,
 * by the way back from there; whoever moves twice, one after the other, has waited for several such ways in between.
 */
export const sightOf = ({ movedAt, now }: LastMove, age: number): Sight => ({ movedAt, since: now - age })

/** It has moved since it was looked at, or since the wish came in. */
export const isOutdated = (sight: Sight, { movedAt }: Pick<LastMove, 'movedAt'>) =>
  movedAt !== sight.movedAt || (movedAt !== null && movedAt > sight.since)
