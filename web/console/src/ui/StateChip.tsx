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

/** Whether they came matters more than that they booked. */
export function StateChip({
  person: { state, attendance },
}: {
  person: Pick<Person, 'state' | 'attendance'>
}) {
  const shown = attendance ?? state
  return <Chip tone={tones[shown]!}>{common[shown]}</Chip>
}
