import { useState } from 'preact/hooks'
import { api } from '../../../api.ts'
import { common } from '../../../common-words.ts'
import type { Entry, Person } from '../../../records.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { showToast } from '../../../ui/toasts.tsx'
import { texts } from './words.ts'

type Props = { entry: Entry; onDone: () => void; onClose: () => void }
type Attendance = Person['attendance']

/** Everyone on one screen, saved together: no email is sent. */
export function AttendanceDialog({ entry, onDone, onClose }: Props) {
  const people = entry.people.filter(one => one.state === 'BOOKED')
  const [marks, setMarks] = useState(new Map(people.map(one => [one.uuid, one.attendance])))
  const { busy, run } = useSubmit()
  const save = (wanted: { uuid: string; attendance: Attendance }[]) =>
    run(() => api.post(`/appointments/${entry.uuid}/attendance`, { people: wanted }))
  const changed = people.filter(one => marks.get(one.uuid) !== one.attendance)
  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const wanted = changed.map(({ uuid }) => ({ uuid, attendance: marks.get(uuid)! }))
    if (!(await save(wanted))) return
    const before = changed.map(({ uuid, attendance }) => ({ uuid, attendance }))
    showToast(texts.saved, { undo: () => void save(before).then(onDone) })
    onDone()
  }
  return (
    <Dialog title={texts.attendance} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {people.length === 0 && <p class="soft">{texts.noBookings}</p>}
        {people.length > 0 && (
          <div>
            <Button onClick={() => setMarks(new Map(people.map(one => [one.uuid, 'ATTENDED'])))}>
              {texts.allArrived}
            </Button>
          </div>
        )}
        <ul class="lines">
          {people.map(person => (
            <AttendanceLine
              key={person.uuid}
              person={person}
              value={marks.get(person.uuid) ?? null}
              onChange={value => setMarks(new Map(marks).set(person.uuid, value))}
            />
          ))}
        </ul>
        <DialogButtons onClose={onClose} action={common.save} busy={busy} disabled={changed.length === 0} />
      </form>
    </Dialog>
  )
}

type LineProps = { person: Person; value: Attendance; onChange: (value: Attendance) => void }

function AttendanceLine({ person, value, onChange }: LineProps) {
  const choices = [
    ['ATTENDED', common.arrived],
    ['MISSED', common.noShow],
    [null, texts.notRecorded],
  ] as const
  return (
    <li>
      <fieldset class="attendance">
        <legend>
          <strong>{person.name ?? '–'}</strong>
          {person.places > 1 && <span class="soft"> · {texts.placesOf(person.places)}</span>}
        </legend>
        {choices.map(([choice, label]) => (
          <label key={label}>
            <input
              type="radio"
              name={`attendance-${person.uuid}`}
              checked={value === choice}
              onChange={() => onChange(choice)}
            />
            {label}
          </label>
        ))}
      </fieldset>
    </li>
  )
}
