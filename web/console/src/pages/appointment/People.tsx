import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { type Entry, isIn, type Person, peopleIn } from '../../records.ts'
import { format, instant } from '../../time.ts'
import { ButtonFor } from '../../ui/Button.tsx'
import { StateChip } from '../../ui/StateChip.tsx'
import { withEllipsis } from '../../words.ts'
import { Answers } from '../questions/Answers.tsx'
import { PlacesDialog } from './class/PlacesDialog.tsx'
import { texts as classTexts } from './class/words.ts'
import { whenOf } from './form-times.ts'
import { LeaveDialog, useAccept } from './participation-dialogs.tsx'
import type { AppointmentPage } from './records.ts'
import type { Scope } from './series/ScopeField.tsx'
import { SeriesMoveDialog } from './series/SeriesMoveDialog.tsx'
import { useAttendance } from './use-attendance.ts'
import { texts } from './words.ts'

type Props = {
  entry: Entry
  zone: string
  /** What staff noted about the customers. */
  notes: AppointmentPage['customerNotes']
  series: AppointmentPage['series']
  /** Books another appointment for this person. */
  onNext: (person: Person) => void
  onDone: () => void
}

/** `children`: what can be done for all of them. */
export function People({ entry, children, ...shared }: Props & { children?: ComponentChildren }) {
  return (
    <section class="stack">
      <h3>{texts.people}</h3>
      {children}
      {entry.people.length === 0 && <p class="soft">{texts.noBookingsYet}</p>}
      <ul class={entry.capacity > 1 ? 'lines class-people' : 'lines'}>
        {entry.people.map(person => (
          <PersonLine key={person.uuid} entry={entry} person={person} {...shared} />
        ))}
      </ul>
    </section>
  )
}

function PersonLine({ entry, person, zone, notes, series, onNext, onDone }: Props & { person: Person }) {
  const [isLeaving, leave] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const [moving, setMoving] = useState<Scope | null>(null)
  const own = series.find(one => one.dates.some(date => date.participationUuid === person.uuid)) ?? null
  const accept = useAccept(person, onDone)
  const { busy, mark } = useAttendance(person, onDone)
  const noted = notes.find(one => one.customerUuid === person.customer?.uuid)?.note
  return (
    <li>
      <div class="person">
        <p class="row">
          <strong>{person.name ?? '–'}</strong> <StateChip person={person} />
        </p>
        {(person.places > 1 || person.placeNames.length > 0) && (
          <p>
            {classTexts.placesOf(person.places)}
            {person.placeNames.length > 0 && ` · ${person.placeNames.join(', ')}`}
          </p>
        )}
        <p class="soft">
          {person.expiresAt && texts.heldUntil(format.time(instant(person.expiresAt), zone))}
          {person.email && <a href={`mailto:${person.email}`}>{person.email}</a>}
          {person.email && person.mobile && ' · '}
          {person.mobile && <a href={`tel:${person.mobile}`}>{person.mobile}</a>}
          {(person.email || person.mobile) && person.customer && ' · '}
          {person.customer && <Link href={`/customers/${person.customer.uuid}`}>{texts.customerPage}</Link>}
        </p>
        {noted && (
          <p class="noted">
            <strong>{texts.aboutCustomer}</strong> {noted}
          </p>
        )}
        {person.note && <blockquote class="said">{person.note}</blockquote>}
        <Answers entry={entry} person={person} onDone={onDone} />
      </div>
      <div class="row">
        {person.state === 'REQUESTED' && (
          <ButtonFor right="book" kind="main" busy={accept.busy} onClick={accept.send}>
            {texts.accept}
          </ButtonFor>
        )}
        {person.state === 'BOOKED' && (
          <>
            <ButtonFor
              right="book"
              busy={busy}
              pressed={person.attendance === 'ATTENDED'}
              onClick={() => mark(person.attendance === 'ATTENDED' ? null : 'ATTENDED')}
            >
              {texts.arrived}
            </ButtonFor>
            <ButtonFor
              right="book"
              busy={busy}
              pressed={person.attendance === 'MISSED'}
              onClick={() => mark(person.attendance === 'MISSED' ? null : 'MISSED')}
            >
              {texts.noShow}
            </ButtonFor>
          </>
        )}
      </div>
      <div class="row">
        {person.customer && isIn(person) && (
          <ButtonFor
            right="book"
            kind={entry.capacity > 1 ? 'quiet' : 'plain'}
            onClick={() => onNext(person)}
          >
            {withEllipsis(texts.nextAppointment)}
          </ButtonFor>
        )}
        {own && person.state === 'BOOKED' && entry.state === 'ACTIVE' && !isAlone(entry) && (
          <ButtonFor right="book" kind="quiet" onClick={() => setMoving('this')}>
            {withEllipsis(texts.move)}
          </ButtonFor>
        )}
        {(person.state === 'REQUESTED' || (person.state === 'BOOKED' && !isAlone(entry))) && (
          <ButtonFor right="book" kind="quiet" onClick={() => leave(true)}>
            {withEllipsis(texts.cancelOne)}
          </ButtonFor>
        )}
        {hasPlaces(entry, person) && (
          <ButtonFor right="book" kind="quiet" onClick={() => setChanging(true)}>
            {withEllipsis(classTexts.changePlaces)}
          </ButtonFor>
        )}
      </div>
      {moving && own && (
        <SeriesMoveDialog
          entry={entry}
          series={own}
          person={person}
          scope={moving}
          start={whenOf(entry.resource.uuid, instant(entry.start), instant(entry.end), zone)}
          onScope={setMoving}
          onClose={() => setMoving(null)}
          onDone={() => {
            setMoving(null)
            onDone()
          }}
        />
      )}
      {isChanging && (
        <PlacesDialog
          person={person}
          onClose={() => setChanging(false)}
          onDone={() => {
            setChanging(false)
            onDone()
          }}
        />
      )}
      {isLeaving && (
        <LeaveDialog
          entry={entry}
          person={person}
          series={own}
          onClose={() => leave(false)}
          onDone={() => {
            leave(false)
            onDone()
          }}
        />
      )}
    </li>
  )
}

const hasPlaces = (entry: Entry, { state, places }: Person) =>
  entry.state === 'ACTIVE' &&
  (state === 'BOOKED' || state === 'REQUESTED') &&
  (entry.capacity > 1 || places > 1)

/** Cancelling for the only participant cancels the Appointment, which has its own button below. */
const isAlone = (entry: Entry) => entry.capacity <= 1 && peopleIn(entry).length === 1
