import { api } from '../../api.ts'
import type { Schemas } from '../../records.ts'
import { requestsChanged } from '../../request-count.ts'
import { say } from '../../ui/toasts.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { restoring } from '../appointment/restoring.ts'
import { texts } from './words.ts'

export type Waiting = Schemas['WaitingRequest']

export function useAnswer(request: Waiting, onDone: () => void | Promise<void>) {
  const { uuid, name, appointmentUuid } = request
  const { busy, run } = useSending()
  async function send(answer: 'accept' | 'decline', telling = { sendMails: true, message: '' }) {
    const done = await run(() =>
      api.post(`/participations/${uuid}/decide`, {
        answer,
        sendMails: telling.sendMails,
        message: telling.message || null,
      }),
    )
    const former = {
      uuid: appointmentUuid,
      name: name ?? '',
      people: [{ uuid, state: 'REQUESTED' as const }],
    }
    const isSilent = answer === 'decline' && !telling.sendMails
    const undo = restoring([former], () => void onDone())
    if (done)
      say(
        answer === 'accept' ? texts.accepted(name ?? '') : texts.declined(name ?? ''),
        isSilent ? { undo } : {},
      )
    // Whoever came second sees what is true now.
    requestsChanged()
    await onDone()
  }
  return { busy, send }
}
