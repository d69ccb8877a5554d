import { Chip, type Tone } from '../../ui/Chip.tsx'
import { texts } from './words.ts'

export type Mail = {
  uuid: string
  kind: string
  to: string | null
  subject: string | null
  state: 'queued' | 'sent' | 'failed' | 'kept'
  attempts: number
  lastError: string | null
  createdAt: string
}

const tones: Record<Mail['state'], Tone> = { queued: 'wait', sent: 'good', failed: 'bad', kept: 'off' }

export const MailState = ({ state }: { state: Mail['state'] }) => (
  <Chip tone={tones[state]}>{texts.states[state]!}</Chip>
)
