import { common } from '../common-words.ts'
import type { Person } from '../records.ts'

/** A status as a word and a shape, never as a colour alone. */
export type Tone = 'good' | 'wait' | 'bad' | 'off' | 'plain'

const shapes: Record<Tone, string> = { good: '●', wait: '◐', bad: '▲', off: '○', plain: '■' }

export function Chip({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span class={`chip ${tone}`} title={children}>
      <span aria-hidden="true">{shapes[tone]}</span> {children}
    </span>
  )
}

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
