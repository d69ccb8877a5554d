import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { common } from '../../common-words.ts'
import type { AppointmentPage } from '../../records.ts'
import { type Entry, type Person, peopleIn } from '../../records.ts'
import { useMay } from '../../session.ts'
import { format, instant } from '../../time.ts'
import { type Action, Actions } from '../../ui/Actions.tsx'
import { StateChip } from '../../ui/Chip.tsx'
import { withEllipsis } from '../../words.ts'
import { Answers } from '../questions/Answers.tsx'
import { texts as requestTexts } from '../requests/words.ts'
import { PlacesDialog } from './class/PlacesDialog.tsx'
import { texts as classTexts } from './class/words.ts'
import { whenOf } from './form-times.ts'
import { type Changes, nextAction, PersonActions, useAttendanceActions } from './PanelActions.tsx'
import { LeaveDialog, useAccept } from './participation-dialogs.tsx'
import type { Scope } from './series/ScopeField.tsx'
import { SeriesMoveDialog } from './series/SeriesMoveDialog.tsx'
import { texts } from './words.ts'

type Props = {
  entry: Entry
  zone: string
  /** What staff noted about the customers. */
  notes: AppointmentPage['customerNotes']
  series: AppointmentPage['series']
  /** Books another appointment for this person. */
  onNext: (person: Person) => void
  onAdd: () => void
  onDone: () => void
  changes: Changes
}

/** Up to this width. */
const phone = 480

/**
 * The customer as a heading of the Appointment, if there is only one: with several, it is a class, and its name
 * says more.
 */
export function headOfPeople(entry: Entry): string | null {
  const people = entry.state === 'ACTIVE' ? peopleIn(entry) : entry.people
  return people.length === 1 && entry.capacity <= 1 ? (people[0]!.name ?? null) : null
}

/** The panel is about one customer, whose actions are those of the Appointment. */
export const isAboutOne = (entry: Entry) => headOfPeople(entry) !== null && entry.people.length === 1

export function People(props: Props) {
  const { entry } = props
  const isHeaded = isAboutOne(entry)
  const list = isHeaded ? 'one-person' : entry.capacity > 1 ? 'lines class-people' : 'lines'
  return (
    <section class="stack">
      <h3 class={isHeaded ? 'visually-hidden' : ''}>{texts.people}</h3>
      {entry.people.length === 0 && <p class="soft">{texts.noBookingsYet}</p>}
      <ul class={list}>
        {entry.people.map(person => (
          <PersonLine key={person.uuid} {...props} person={person} isHeaded={isHeaded} />
        ))}
      </ul>
    </section>
  )
}

type LineProps = Props & {
  person: Person
  /** The name is the heading of the panel. */
  isHeaded: boolean
}

function PersonLine(props: LineProps) {
  const { entry, person, zone, series, isHeaded, changes, onNext, onAdd, onDone } = props
  const [isLeaving, leave] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const [moving, setMoving] = useState<Scope | null>(null)
  const own = series.find(one => one.dates.some(date => date.participationUuid === person.uuid)) ?? null
  const others: (Action | false)[] = [
    own !== null &&
      person.state === 'BOOKED' &&
      entry.state === 'ACTIVE' &&
      !isAlone(entry) && { name: withEllipsis(common.move), run: () => setMoving('this'), kind: 'quiet' },
    (person.state === 'REQUESTED' || (person.state === 'BOOKED' && !isAlone(entry))) &&
      !isHeaded && {
        name: withEllipsis(person.state === 'REQUESTED' ? requestTexts.decline : texts.cancelOne),
        run: () => leave(true),
        kind: 'quiet',
      },
    hasPlaces(entry, person) && {
      name: withEllipsis(classTexts.changePlaces),
      run: () => setChanging(true),
      kind: 'quiet',
    },
  ]
  return (
    <li>
      <Facts {...props} />
      {isHeaded ? (
        <PersonActions
          {...{ entry, person, zone, changes, others, onNext, onAdd, onDone }}
          onLeave={() => leave(true)}
        />
      ) : (
        <LineActions
          person={person}
          actions={[nextAction(entry, person, onNext, entry.capacity > 1 ? 'quiet' : 'plain'), ...others]}
          onDone={onDone}
        />
      )}
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

/** Who it is, how to reach them, and what is noted. */
function Facts({ entry, person, zone, notes, isHeaded, onDone }: LineProps) {
  const noted = notes.find(one => one.customerUuid === person.customer?.uuid)?.note
  return (
    <div class="person">
      {!(isHeaded && (isAsPlanned(person) || isSaidAbove(entry, person))) && (
        <p class="row">
          {!isHeaded && <strong>{person.name ?? '–'}</strong>}{' '}
          {isAsPlanned(person) ? (
            <span class="soft">{common[person.attendance ?? 'BOOKED']}</span>
          ) : (
            !isSaidAbove(entry, person) && <StateChip person={person} />
          )}
        </p>
      )}
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
  )
}

type ActionsProps = { person: Person; actions: (Action | false)[]; onDone: () => void }

/** In a list: what is pressed most beside the name, the rest below. */
function LineActions({ person, actions, onDone }: ActionsProps) {
  const mayBook = useMay('book')
  const accept = useAccept(person, onDone)
  const { arrived, noShow } = useAttendanceActions(person, onDone)
  if (!mayBook) return null
  const first: Action[] =
    person.state === 'REQUESTED'
      ? [{ name: common.accept, run: accept.send, busy: accept.busy, kind: 'main' }]
      : person.state === 'BOOKED'
        ? [arrived, noShow]
        : []
  return (
    <>
      <div class="row">
        <Actions below={0} actions={first} />
      </div>
      <div class="row">
        <Actions below={phone} of={person.name} actions={actions} />
      </div>
    </>
  )
}

/** It needs no chip in a panel about this person alone. */
const isAsPlanned = ({ state, attendance }: Person) => state === 'BOOKED' && attendance !== 'MISSED'

/** The summary says that the whole Appointment is cancelled. */
const isSaidAbove = (entry: Entry, { state }: Person) => entry.state === 'CANCELLED' && state === 'CANCELED'

const hasPlaces = (entry: Entry, { state, places }: Person) =>
  entry.state === 'ACTIVE' &&
  (state === 'BOOKED' || state === 'REQUESTED') &&
  (entry.capacity > 1 || places > 1)

/** Cancelling for the only participant cancels the Appointment, which has its own button. */
const isAlone = (entry: Entry) => entry.capacity <= 1 && peopleIn(entry).length === 1
