import { dayAt } from '#shared/zones.ts'
import { common } from '../../common-words.ts'
import { type Entry, isIn, type Person, peopleIn } from '../../records.ts'
import { useMay } from '../../session.ts'
import { instant, today } from '../../time.ts'
import { type Action, MainActions } from '../../ui/Actions.tsx'
import { withEllipsis } from '../../words.ts'
import { texts as requestTexts } from '../requests/words.ts'
import { bookNextName } from './NextAppointment.tsx'
import { useAccept } from './participation-dialogs.tsx'
import { useAttendance } from './use-attendance.ts'
import { texts } from './words.ts'

/** The others are in a menu, so that the notes below are in sight. */
const most = 3

/** What changes the whole Appointment; nothing for those who may not. */
export type Changes = { move: Action; swap: Action; cancel: Action } | null

type GroupProps = { entry: Entry; onAdd: () => void; forAll: Action[]; changes: Changes }

/** Of a class, or of an Appointment without customers. */
export function GroupActions({ entry, onAdd, forAll, changes }: GroupProps) {
  const mayBook = useMay('book')
  const actions = [mayBook && addAction(entry, onAdd), ...forAll, ...inOrder(changes)]
  return (
    <div class="row main-actions">
      <MainActions most={most} actions={actions} />
    </div>
  )
}

const inOrder = (changes: Changes): (Action | false)[] =>
  changes ? [changes.move, changes.swap, changes.cancel] : []

const addAction = (entry: Entry, run: () => void): Action | false =>
  entry.state === 'ACTIVE' && { name: withEllipsis(texts.addCustomer), run }

type PersonProps = {
  entry: Entry
  person: Person
  zone: string
  changes: Changes
  /** Change places, or leave a series. */
  others: (Action | false)[]
  onLeave: () => void
  onNext: (person: Person) => void
  onAdd: () => void
  onDone: () => void
}

/** Of an Appointment of one customer. What is needed at its stage comes first. */
export function PersonActions({ entry, person, zone, changes, others, ...on }: PersonProps) {
  const mayBook = useMay('book')
  const accept = useAccept(person, on.onDone)
  const { arrived, noShow } = useAttendanceActions(person, on.onDone)
  if (!mayBook) return null
  const [move = false, swap = false, cancel = false] = inOrder(changes)
  const next = nextAction(entry, person, on.onNext)
  const rest = [swap, ...others, addAction(entry, on.onAdd)]
  const decline: Action = { name: withEllipsis(requestTexts.decline), run: on.onLeave, kind: 'danger' }
  const isMarked = person.attendance !== null
  const lists: Record<Stage, (Action | false)[]> = {
    request: [
      { name: common.accept, run: accept.send, busy: accept.busy, kind: 'main' },
      move,
      decline,
      next,
      ...rest,
    ],
    // Arriving days before is a mistake, or a test.
    before: [isMarked && arrived, move, next, cancel, ...rest, !isMarked && arrived],
    sameDay: [arrived, move, cancel, next, ...rest],
    begun: [arrived, noShow, next, move, cancel, ...rest],
    off: [next, move, cancel, ...rest],
  }
  return (
    <div class="row main-actions">
      <MainActions most={most} actions={lists[stageOf(entry, person, zone)]} />
    </div>
  )
}

type Stage = 'request' | 'before' | 'sameDay' | 'begun' | 'off'

function stageOf(entry: Entry, person: Person, zone: string): Stage {
  if (person.state === 'REQUESTED') return 'request'
  if (person.state !== 'BOOKED') return 'off'
  if (instant(entry.start) <= Date.now() || person.attendance === 'MISSED') return 'begun'
  return dayAt(instant(entry.start), zone) > today(zone) ? 'before' : 'sameDay'
}

/** Books another one, or this one again. */
export const nextAction = (
  entry: Entry,
  person: Person,
  run: (person: Person) => void,
  kind: 'plain' | 'quiet' = 'plain',
): Action | false =>
  person.customer !== null &&
  (isIn(person) || peopleIn(entry).length === 0) && {
    name: withEllipsis(bookNextName(entry)),
    run: () => run(person),
    kind,
  }

/** One click sets the attendance; another removes it. */
export function useAttendanceActions(person: Person, onDone: () => void) {
  const { busy, mark } = useAttendance(person, onDone)
  const action = (name: string, value: 'ATTENDED' | 'MISSED'): Action => {
    const pressed = person.attendance === value
    return { name, busy, pressed, run: () => mark(pressed ? null : value) }
  }
  return { arrived: action(common.arrived, 'ATTENDED'), noShow: action(common.noShow, 'MISSED') }
}
