import { addDays } from '#shared/dates.ts'
import { dayAt } from '#shared/zones.ts'
import { api, type Problem } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Entry, Person } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { instant, today } from '../../time.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { BookDialog } from './BookDialog.tsx'
import { whenOf } from './form-times.ts'

type Closing = { onDone: () => void; onClose: () => void }
type Props = Closing & { entry: Entry; person: Person; zone: string }

/** After an appointment of the customer that is not open. */
export function NextOf({ uuid, customer, ...closing }: Closing & { uuid: string; customer: string }) {
  const { data, problem, reload } = useLoad(`appointment-${uuid}`, signal =>
    api.get(`/appointments/${uuid}`, { signal }),
  )
  const person = data?.entry.people.find(one => one.customer?.uuid === customer)
  if (!data || !person) return <Waiting problem={problem} onRetry={reload} onClose={closing.onClose} />
  return <NextAppointment entry={data.entry} person={person} zone={data.timeZone} {...closing} />
}

type WaitingProps = { problem: Problem | null; onRetry: () => void; onClose: () => void }

const Waiting = ({ problem, onRetry, onClose }: WaitingProps) => (
  <Dialog title={common.nextAppointment} onClose={onClose}>
    {problem ? <Trouble problem={problem} onRetry={onRetry} /> : <Skeleton rows={6} />}
  </Dialog>
)

/** The same customer, service, person and time of day: a week after this one, or today at the earliest. */
export function NextAppointment({ entry, person, zone, onDone, onClose }: Props) {
  const { uuid } = useProvider()
  const weekLater = addDays(dayAt(instant(entry.start), zone), 7)
  const day = weekLater < today(zone) ? today(zone) : weekLater
  const { data, problem, reload } = useLoad(`next-${uuid}-${day}`, signal =>
    api.get(`/providers/${uuid}/calendar`, { query: { from: day }, signal }),
  )
  if (!data) return <Waiting problem={problem} onRetry={reload} onClose={onClose} />
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
      title={common.nextAppointment}
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
