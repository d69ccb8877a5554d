import { useState } from 'preact/hooks'
import { addDays } from '#shared/dates.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { peopleIn } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { today } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { CheckField, SelectField, TextField } from '../../ui/fields/Field.tsx'
import { NotifyFields, useNotification } from '../../ui/fields/NotifyFields.tsx'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useDayData } from '../appointment/day-data.ts'
import { Warnings } from '../appointment/WhenFields.tsx'
import { AbsenceLine } from './AbsenceLine.tsx'
import { asSent, type Choice, type Line, type Plan, proposedFor, type Result, targetOf } from './choices.ts'
import { Results, type Settled } from './Results.tsx'
import { undoAbsence } from './undo.ts'
import { texts } from './words.ts'

type Props = { day: string; onDone: () => void; onClose: () => void }

/** A therapist is ill: what has not started goes to colleagues, to other times, is cancelled or stays. */
export function AbsenceDialog({ day, onDone, onClose }: Props) {
  const { uuid, timeZone: zone } = useProvider()
  const [chosen, choosePerson] = useState('')
  const [first, setFirst] = useState(day)
  const [last, setLast] = useState(day)
  const [choices, setChoices] = useState<Record<string, Choice>>({})
  const [isBlocking, setBlocking] = useState(true)
  const [reason, setReason] = useState(texts.usualReason)
  const [notification, setNotification] = useNotification()
  const [settled, setSettled] = useState<Settled[] | null>(null)
  const { busy, run } = useSubmit()
  const resources = useDayData(uuid, first || day).data?.resources ?? []
  const person = resources.find(one => one.uuid === chosen) ?? null
  // What is over today needs no block.
  const span = { from: first > today(zone) ? first : null, to: addDays(last > first ? last : first, 1) }
  const key = person && first && last && `absence-${person.uuid}-${JSON.stringify(span)}`
  const plan = useLoad(key || null, signal =>
    api.post(`/resources/${person!.uuid}/absence/preview`, span, { signal }),
  )
  const lines = plan.data?.lines ?? []
  const choiceFor = (line: Line) => choices[line.appointment.uuid] ?? proposedFor(line)
  const open = lines.filter(line => choiceFor(line).kind === 'other' && !targetOf(line, choiceFor(line)))
  const stay = lines.filter(line => choiceFor(line).kind === 'leave').length
  const changes = lines.length - stay
  const canNotify = lines.some(one => peopleIn(one.appointment).some(who => who.email))

  async function confirm(event: SubmitEvent) {
    event.preventDefault()
    if (!person || !plan.data || open.length > 0) return
    const sendMails = canNotify && notification.sendMails
    const decided = lines.map(line => ({ line, choice: choiceFor(line) }))
    const answer = await run(() =>
      api.post(
        `/resources/${person.uuid}/absence`,
        {
          ...span,
          lines: decided.map(({ line, choice }) => asSent(line, choice)),
          blockReason: isBlocking ? reason || texts.usualReason : null,
          message: (sendMails && notification.message) || null,
        },
        { query: { sendMails } },
      ),
    )
    if (!answer) return
    const done = decided.map((one, index) => ({ ...one, result: answer.results[index]!, sendMails }))
    setSettled(done)
    onDone()
    const count = (kind: Result['result']) => done.filter(one => one.result.result === kind).length
    const undo = () => {
      onClose()
      return undoAbsence(person.uuid, answer.blockUuid, done, onDone)
    }
    showToast(texts.summary(count('moved'), count('cancelled')), sendMails ? {} : { undo })
  }

  if (settled)
    return (
      <Results
        settled={settled}
        onClose={onClose}
        onAgain={() => {
          setSettled(null)
          setChoices({})
          // It is blocked now.
          setBlocking(false)
          void plan.reload()
        }}
      />
    )
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form class="stack" onSubmit={confirm}>
        <p class="soft">{texts.hint}</p>
        <SelectField
          label={texts.who}
          value={chosen}
          options={[
            { value: '', label: '–' },
            ...resources.map(one => ({ value: one.uuid, label: one.name })),
          ]}
          onChange={next => {
            choosePerson(next)
            setChoices({})
          }}
        />
        <div class="pair">
          <TextField
            label={common.firstDay}
            type="date"
            required
            min={today(zone)}
            value={first}
            onInput={setFirst}
          />
          <TextField label={common.lastDay} type="date" required min={first} value={last} onInput={setLast} />
        </div>
        {plan.problem && <Trouble problem={plan.problem} onRetry={plan.reload} />}
        {person && plan.isLoading && <Skeleton rows={4} />}
        {plan.data && (
          <Planned
            plan={plan.data}
            zone={zone}
            choiceFor={choiceFor}
            onChoose={(line, choice) => setChoices({ ...choices, [line.appointment.uuid]: choice })}
            colleagues={resources.filter(one => one.uuid !== chosen)}
          />
        )}
        <CheckField label={texts.block} checked={isBlocking} onChange={setBlocking} />
        {isBlocking && <TextField label={texts.reason} maxLength={200} value={reason} onInput={setReason} />}
        {canNotify && <NotifyFields notification={notification} onChange={setNotification} />}
        <div class="dialog-end">
          <Warnings
            list={[
              ...(open.length > 0 ? [texts.incomplete(open.length)] : []),
              ...(stay > 0 ? [texts.stay(stay, person!.name)] : []),
            ]}
          />
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            kind="main"
            type="submit"
            busy={busy}
            disabled={!plan.data || open.length > 0 || (changes === 0 && !isBlocking)}
          >
            {changes === 0 ? texts.blockOnly : texts.confirm(changes)}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type PlannedProps = {
  plan: Plan
  zone: string
  choiceFor: (line: Line) => Choice
  onChoose: (line: Line, choice: Choice) => void
  colleagues: { uuid: string; name: string }[]
}

/** "Free colleagues for 7 of 9: 4 Emma, 3 Tom", and each line to change. */
function Planned({ plan, zone, choiceFor, onChoose, colleagues }: PlannedProps) {
  const { lines, fits, byResource } = plan
  if (lines.length === 0) return <p>{texts.none}</p>
  const who = byResource.map(({ count, name }) => `${count} ${name}`).join(', ')
  return (
    <fieldset class="absence-lines">
      <legend>{texts.fits(fits, lines.length, who)}</legend>
      <ul class="lines">
        {lines.map(line => (
          <AbsenceLine
            key={line.appointment.uuid}
            line={line}
            zone={zone}
            choice={choiceFor(line)}
            colleagues={colleagues}
            onChoose={choice => onChoose(line, choice)}
          />
        ))}
      </ul>
    </fieldset>
  )
}
