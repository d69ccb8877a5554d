import { denseScreen, rowHeights } from '#shared/tokens.ts'
import { common } from '../../common-words.ts'
import { addressLine, type Entry, isIn, lateBy, type Person, placesTaken } from '../../records.ts'
import { format, instant } from '../../time.ts'
import { ButtonFor } from '../../ui/Button.tsx'
import { Chip, StateChip } from '../../ui/Chip.tsx'
import { LongBody } from '../../ui/LongBody.tsx'
import { useAttendance } from '../appointment/use-attendance.ts'
import { answerLines } from '../questions/answer-texts.ts'
import { briefTexts as questionTexts } from '../questions/brief-words.ts'
import type { QuestionRecord } from '../questions/questions.ts'
import { texts } from './words.ts'

/** One row per person, so that each can be checked in. */
type Props = {
  entries: Entry[]
  zone: string
  now: number
  onOpen: (uuid: string) => void
  onDone: () => void
  questions: QuestionRecord[]
}

export function Rows({ entries, zone, now, onOpen, onDone, questions }: Props) {
  const isOnePlace = new Set(entries.map(one => one.resource.uuid)).size === 1
  // A shared address is not repeated.
  const hasAddresses = new Set(entries.map(one => addressLine(one.address)).filter(Boolean)).size > 1
  const rows = entries.flatMap(entry => shown(entry).map((person, index) => ({ entry, person, index })))
  return (
    <div class="table-frame">
      <table class={isOnePlace ? 'table today one-place' : 'table today'} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th>{common.time}</th>
            <th>{common.customer}</th>
            <th>{common.product}</th>
            <th>{common.resource}</th>
            <th>{common.note}</th>
            <th class="no-print">
              <span class="visually-hidden">{texts.attendance}</span>
            </th>
          </tr>
        </thead>
        <LongBody
          rows={rows}
          partSize={rows.length > mostAtOnce ? 10 : mostAtOnce}
          heightOf={rowHeight}
          standIn={part => ({ 'data-to-come': part.some(one => isToCome(one, now)) || undefined })}
          draw={({ entry, person, index }, position) => (
            <tr
              key={person?.uuid ?? entry.uuid}
              aria-rowindex={position + 2}
              class={isNow(entry, now) ? 'now' : entry.state === 'ACTIVE' ? '' : 'off'}
              data-to-come={isToCome({ entry }, now) || undefined}
            >
              <td>
                {index === 0 && (
                  <time dateTime={entry.start}>
                    {format.time(instant(entry.start), zone)}
                    <span class="until"> – {format.time(instant(entry.end), zone)}</span>
                  </time>
                )}
              </td>
              <th scope="row" title={person?.name ?? undefined}>
                <span class="visitor">
                  <Who entry={entry} person={person} onOpen={onOpen} />
                  <States entry={entry} person={person} now={now} />
                  <span class="note-beside soft">{notesOf(entry, person, index)}</span>
                </span>
              </th>
              <td title={entry.product.name}>{index === 0 && <What entry={entry} />}</td>
              <td title={entry.resource.name}>
                {index === 0 && (
                  <>
                    {entry.resource.name}
                    {hasAddresses && addressLine(entry.address) && (
                      <>
                        <br />
                        <span class="soft">{addressLine(entry.address)}</span>
                      </>
                    )}
                  </>
                )}
              </td>
              <td class="note" title={notesOf(entry, person, index) || undefined}>
                {notesOf(entry, person, index)}
                {person && <PrintedAnswers person={person} questions={questions} />}
              </td>
              <td class="no-print came-cell">
                {person?.state === 'BOOKED' && entry.state === 'ACTIVE' && (
                  <AttendanceButtons person={person} hasBegun={instant(entry.start) <= now} onDone={onDone} />
                )}
              </td>
            </tr>
          )}
        />
      </table>
    </div>
  )
}

/** Shorter days are drawn as a whole, so that the browser's search finds every name. */
const mostAtOnce = 100
const rowHeight = () => (matchMedia(denseScreen).matches ? rowHeights.dense : rowHeights.list)

/** A note about the Appointment stands beside its first person. */
const notesOf = (entry: Entry, person: Person | null, index: number) =>
  [person?.note, index === 0 ? entry.notes : null].filter(Boolean).join(' · ')

const isToCome = ({ entry }: { entry: Entry }, now: number) => instant(entry.end) > now

/** On paper only: on the screen, the panel has them. */
function PrintedAnswers({ person, questions }: { person: Person; questions: QuestionRecord[] }) {
  const lines = answerLines(questions, person.answers)
  if (lines.length === 0) return null
  return (
    <span class="only-print">
      {lines.map(({ key, label, text }) => (
        <span key={key} class="printed-answer">
          {label}: {text}
        </span>
      ))}
    </span>
  )
}

type StatesProps = { entry: Entry; person: Person | null; now: number }

/** Beside the name, for the few rows that have one. */
function States({ entry, person, now }: StatesProps) {
  const isLate = person !== null && lateBy(entry, person, now) !== null
  return (
    <>
      {entry.state === 'CANCELLED' && <Chip tone="off">{common.CANCELED}</Chip>}
      {person && entry.state === 'ACTIVE' && <State entry={entry} person={person} now={now} />}
      {isNow(entry, now) && !isLate && <span class="soft no-print">{texts.now}</span>}
      {person?.answersMissing && entry.state === 'ACTIVE' && isIn(person) && (
        <Chip tone="wait">{questionTexts.missing}</Chip>
      )}
    </>
  )
}

/** Late customers stand out, so that staff can call or take the next one first. */
function State({ entry, person, now }: StatesProps & { person: Person }) {
  const minutes = lateBy(entry, person, now)
  if (minutes !== null) return <Chip tone="bad">{common.minutesLate(minutes)}</Chip>
  // As planned: the button says it. A word without colour for those who see no buttons, and on paper for who has come.
  if (person.state === 'BOOKED' && person.attendance !== 'MISSED')
    return (
      <span class={person.attendance ? 'soft as-planned' : 'soft as-planned no-print'}>
        {common[person.attendance ?? 'BOOKED']}
      </span>
    )
  return <StateChip person={person} />
}

type AttendanceProps = { person: Person; hasBegun: boolean; onDone: () => void }

/** One click sets the attendance; another removes it. A no-show is possible only once it has begun. */
function AttendanceButtons({ person, hasBegun, onDone }: AttendanceProps) {
  const { busy, mark } = useAttendance(person, onDone)
  const button = (sign: string, value: 'ATTENDED' | 'MISSED', label: string) => (
    <ButtonFor
      right="book"
      busy={busy}
      label={`${label}: ${person.name ?? '–'}`}
      pressed={person.attendance === value}
      onClick={() => mark(person.attendance === value ? null : value)}
    >
      <span aria-hidden="true">{sign}</span> <span class="word">{label}</span>
    </ButtonFor>
  )
  return (
    <span class="row came">
      {button('✓', 'ATTENDED', common.arrived)}
      {(hasBegun || person.attendance === 'MISSED') && button('✕', 'MISSED', common.noShow)}
    </span>
  )
}

type WhoProps = { entry: Entry; person: Person | null; onOpen: (uuid: string) => void }

/** The name opens the appointment. */
function Who({ entry, person, onOpen }: WhoProps) {
  return (
    <a
      href={`?appointment=${entry.uuid}`}
      onClick={event => {
        event.preventDefault()
        onOpen(entry.uuid)
      }}
    >
      {person ? (person.name ?? '–') : texts.noBookingsYet}
    </a>
  )
}

function What({ entry }: { entry: Entry }) {
  const left = entry.capacity - placesTaken(entry)
  return (
    <span class="what">
      <span>{entry.product.name}</span>{' '}
      {entry.capacity > 1 && <span class="soft">{texts.free(Math.max(0, left), entry.capacity)}</span>}
    </span>
  )
}

/** The participants; an Appointment without any has a row too. */
function shown(entry: Entry): (Person | null)[] {
  const people = entry.state === 'ACTIVE' ? entry.people.filter(isIn) : entry.people
  return people.length > 0 ? people : [null]
}

const isNow = ({ start, end, state }: Entry, now: number) =>
  state === 'ACTIVE' && instant(start) <= now && now < instant(end)
