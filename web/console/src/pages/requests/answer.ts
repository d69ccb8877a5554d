import { api } from '../../api.ts'
import type { Schemas } from '../../records.ts'
import { requestsChanged } from '../../request-count.ts'
import { say } from '../../ui/toasts.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { texts } from './words.ts'

export type Waiting = Schemas['WaitingRequest']

export function useAnswer({ uuid, name }: Waiting, onDone: () => void | Promise<void>) {
  const { busy, run } = useSending()
  async function send(answer: 'accept' | 'decline', telling = { sendMails: true, message: '' }) {
    const done = await run(() =>
      api.post(`/participations/${uuid}/decide`, {
        answer,
        sendMails: telling.sendMails,
        message: telling.message || null,
      }),
    )
    if (done) say(answer === 'accept' ? texts.accepted(name ?? '') : texts.declined(name ?? ''))
    // Whoever came second sees what is true now.
    requestsChanged()
    await onDone()
  }
  return { busy, send }
}
