import { useState } from 'preact/hooks'
import { fromStored, type StoredAnswers } from '../../../../../src/rules/questions/define.ts'
import { api } from '../../api.ts'
import type { Entry, Person } from '../../records.ts'
import { ButtonFor } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { showToast } from '../../ui/toasts.tsx'
import { withEllipsis } from '../../words.ts'
import { useProducts } from '../offers/offers.ts'
import { AnswerFields } from './AnswerFields.tsx'
import { answerLines } from './answer-texts.ts'
import { briefTexts } from './brief-words.ts'
import { asForm, formOf, type QuestionRecord, useQuestions } from './questions.ts'
import { texts } from './words.ts'

type Props = { entry: Entry; person: Person; onDone: () => void }

/** What a participant has answered, what is missing, and a dialog to fill it in. */
export function Answers({ entry, person, onDone }: Props) {
  const [isEditing, edit] = useState(false)
  const questions = useQuestions().data?.questions ?? []
  const product = useProducts().data?.products.find(one => one.uuid === entry.product.uuid)
  const form = formOf(questions, product?.questions ?? [])
  const isIn = person.name !== null && (person.state === 'BOOKED' || person.state === 'REQUESTED')
  const lines = answerLines(questions, person.answers)
  if (lines.length === 0 && form.length === 0) return null
  return (
    <div class="stack">
      {isIn && person.answersMissing && (
        <p>
          <Chip tone="wait">{briefTexts.missing}</Chip>
        </p>
      )}
      {lines.length > 0 && <AnswerTable lines={lines} />}
      {isIn && form.length > 0 && (
        <p>
          <ButtonFor right="book" kind="quiet" onClick={() => edit(true)}>
            {withEllipsis(texts.edit)}
          </ButtonFor>
        </p>
      )}
      {isEditing && (
        <EditAnswers
          person={person}
          form={form}
          onClose={() => edit(false)}
          onDone={() => {
            edit(false)
            onDone()
          }}
        />
      )}
    </div>
  )
}

/** Answers are shown as text, whatever they contain. */
export const AnswerTable = ({ lines }: { lines: ReturnType<typeof answerLines> }) => (
  <dl class="answers">
    {lines.map(line => (
      <div key={line.key}>
        <dt class="soft">{line.label}</dt>
        <dd>{line.text}</dd>
      </div>
    ))}
  </dl>
)

type EditProps = { person: Person; form: QuestionRecord[]; onClose: () => void; onDone: () => void }

function EditAnswers({ person, form, onClose, onDone }: EditProps) {
  const [values, set] = useState<Record<string, unknown>>(fromStored(person.answers as StoredAnswers))
  const { busy, run, errorAt } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    const asked = form.map(one => one.key)
    const answers = Object.fromEntries(Object.entries(values).filter(([key]) => asked.includes(key)))
    if (!(await run(() => api.put(`/participations/${person.uuid}/answers`, { answers })))) return
    showToast(texts.saved)
    onDone()
  }
  return (
    <Dialog title={`${texts.answers}: ${person.name}`} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <AnswerFields form={form.map(one => asForm(one))} values={values} onChange={set} errorAt={errorAt} />
        <DialogButtons busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}
