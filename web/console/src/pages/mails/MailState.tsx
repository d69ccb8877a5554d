import type { Schemas } from '../../records.ts'
import { Chip, type Tone } from '../../ui/Chip.tsx'
import { texts } from './words.ts'

export type Mail = Schemas['MailSummary']

const tones: Record<Mail['state'], Tone> = { queued: 'wait', sent: 'good', failed: 'bad', kept: 'off' }

export const MailState = ({ state }: { state: Mail['state'] }) => (
  <Chip tone={tones[state]}>{texts.states[state]!}</Chip>
)
