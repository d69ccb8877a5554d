import { common } from '../common-words.ts'
import type { Person } from '../records.ts'
import { Chip, type Tone } from './Chip.tsx'

const tones: Record<string, Tone> = {
  BOOKED: 'good',
  REQUESTED: 'wait',
  RESERVED: 'plain',
  CANCELED: 'off',
  DELETED: 'off',
  ATTENDED: 'good',
  MISSED: 'bad',
}

/** Attendance takes precedence over the booking's status, until it is cancelled. */
export function StateChip({
  person: { state, attendance },
}: {
  person: Pick<Person, 'state' | 'attendance'>
}) {
  const shown = (state !== 'CANCELED' && attendance) || state
  return <Chip tone={tones[shown]!}>{common[shown]}</Chip>
}
