import { api } from '../../api.ts'
import type { Schemas } from '../../records.ts'
import { format, instant } from '../../time.ts'
import { showToast } from '../../ui/toasts.tsx'
import type { Span } from './free-times.ts'
import { texts } from './words.ts'

type Booked = Schemas['BookedWalkIn']
type Wish = Omit<Schemas['WalkIn'], 'start' | 'end'> & {
  span: Span
  sendMails: boolean
  ignoreConflicts: boolean
}

export function bookAppointment(providerUuid: string, wish: Wish): Promise<Booked> {
  const { span, sendMails, ignoreConflicts, message, ...more } = wish
  const [start, end] = [new Date(span.start).toISOString(), new Date(span.end).toISOString()]
  const body = { ...more, start, end, message: (sendMails && message) || null }
  return api.post(`/providers/${providerUuid}/appointments`, body, { query: { ignoreConflicts, sendMails } })
}

/** Says who was booked and when. It can be undone while no email has gone out. */
export function showBooked(entry: Booked, zone: string, sendMails: boolean, onDone: () => void) {
  const undo = () => takeBack(entry).then(onDone)
  showToast(texts.booked(summary(entry, zone)), sendMails ? {} : { undo })
  onDone()
}

/** Who and when, to read back to a caller. */
function summary({ people, participationUuid, start, resource }: Booked, zone: string): string {
  const name = people.find(one => one.uuid === participationUuid)?.name
  return [name, format.when(instant(start), zone), resource.name].filter(Boolean).join(' · ')
}

/** If the customer joined an existing group, only the customer leaves it. */
const takeBack = ({ uuid, joined, participationUuid }: Booked): Promise<unknown> =>
  joined && participationUuid
    ? api.post(`/participations/${participationUuid}/decide`, { answer: 'cancel', sendMails: false })
    : api.remove(`/appointments/${uuid}`)
