import { addDays } from '#shared/dates.ts'
import { dayAt } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import type { Entry, Person } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { instant, today } from '../../time.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { BookDialog } from './BookDialog.tsx'
import { whenOf } from './form-times.ts'
import { texts } from './words.ts'

type Props = { entry: Entry; person: Person; zone: string; onDone: () => void; onClose: () => void }

/** The same customer, service, person and time of day: a week after this one, or today at the earliest. */
export function NextAppointment({ entry, person, zone, onDone, onClose }: Props) {
  const { uuid } = useProvider()
  const weekLater = addDays(dayAt(instant(entry.start), zone), 7)
  const day = weekLater < today(zone) ? today(zone) : weekLater
  const { data, problem, reload } = useLoad(`next-${uuid}-${day}`, signal =>
    api.get(`/providers/${uuid}/calendar`, { query: { from: day }, signal }),
  )
  if (!data)
    return (
      <Dialog title={texts.nextAppointment} onClose={onClose}>
        {problem ? <Trouble problem={problem} onRetry={reload} /> : <Skeleton rows={6} />}
      </Dialog>
    )
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
      title={texts.nextAppointment}
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
