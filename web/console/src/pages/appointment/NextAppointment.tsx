import { addDays } from '#shared/dates.ts'
import { dayAt } from '#shared/zones.ts'
import { api, type Problem } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { type Entry, type Person, peopleIn } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { instant, today } from '../../time.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { BookDialog } from './BookDialog.tsx'
import { whenOf } from './form-times.ts'

/** Without participants, the booking is made again; otherwise a further one is made. */
export const bookNextName = (entry: Entry) =>
  peopleIn(entry).length === 0 ? common.bookAgain : common.nextAppointment

type Closing = { onDone: () => void; onClose: () => void }
type Props = Closing & { entry: Entry; person: Person; zone: string }

/** After an appointment of the customer that is not open. */
export function NextOf({ uuid, customer, ...closing }: Closing & { uuid: string; customer: string }) {
  const { data, problem, reload } = useLoad(`appointment-${uuid}`, signal =>
    api.get(`/appointments/${uuid}`, { signal }),
  )
  const person = data?.entry.people.find(one => one.customer?.uuid === customer)
  if (!data || !person)
    return (
      <Waiting title={common.nextAppointment} problem={problem} onRetry={reload} onClose={closing.onClose} />
    )
  return <NextAppointment entry={data.entry} person={person} zone={data.timeZone} {...closing} />
}

type WaitingProps = { title: string; problem: Problem | null; onRetry: () => void; onClose: () => void }

const Waiting = ({ title, problem, onRetry, onClose }: WaitingProps) => (
  <Dialog title={title} onClose={onClose}>
    {problem ? <Trouble problem={problem} onRetry={onRetry} /> : <Skeleton rows={6} />}
  </Dialog>
)

/**
 * The same customer, service, person and time of day: a week after this one, or on its own day if it was cancelled;
 * today at the earliest.
 */
export function NextAppointment({ entry, person, zone, onDone, onClose }: Props) {
  const { uuid } = useProvider()
  const wanted = addDays(dayAt(instant(entry.start), zone), peopleIn(entry).length === 0 ? 0 : 7)
  const day = wanted < today(zone) ? today(zone) : wanted
  const { data, problem, reload } = useLoad(`next-${uuid}-${day}`, signal =>
    api.get(`/providers/${uuid}/calendar`, { query: { from: day }, signal }),
  )
  const title = bookNextName(entry)
  if (!data) return <Waiting title={title} problem={problem} onRetry={reload} onClose={onClose} />
  const customer = {
    ...person.customer!,
    name: person.name ?? '',
    email: person.email,
    mobile: person.mobile,
    language: null,
    birthDate: null,
    tags: [],
    next: null,
  }
  return (
    <BookDialog
      title={title}
      start={{ ...whenOf(entry.resource.uuid, instant(entry.start), instant(entry.end), zone), day }}
      productUuid={entry.product.uuid}
      customer={customer}
      resources={data.resources}
      products={data.products}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
