import { useState } from 'preact/hooks'
import { languages } from '../../../../../src/rules/questions/languages.ts'
import { questionTypes } from '../../../../../src/rules/questions/questions.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { Product } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { DialogButtons, Panel } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { CheckField, NumberField, SelectField, TextField } from '../../ui/fields/Field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { languageName, locale } from '../../words.ts'
import { labelOf, type QuestionRecord } from './questions.ts'
import { texts } from './words.ts'

type Draft = Omit<QuestionRecord, 'uuid' | 'formerOptions' | 'archived'>
type Texts = Record<string, string>

const blank: Draft = {
  key: '',
  type: 'text',
  label: {},
  help: null,
  required: false,
  options: [],
  min: null,
  max: null,
  maxLength: null,
  showIf: null,
  subject: 'booking',
  audience: 'consumer',
  inEmails: false,
  keepDays: null,
}

type Props = {
  /** Null for a new one. */
  question: QuestionRecord | null
  others: QuestionRecord[]
  products: Product[]
  /** The keys of the questions that services without their own ask. */
  ofBusiness: string[]
  onClose: () => void
  onDone: () => void
}

export function QuestionPanel({ question, others, products, ofBusiness, onClose, onDone }: Props) {
  const { uuid } = useProvider()
  const [draft, set] = useState<Draft>(question ?? blank)
  const [forAll, setForAll] = useState(question !== null && ofBusiness.includes(question.key))
  // Only services that differ from what they would be without a choice here.
  const [chosen, setChosen] = useState<Record<string, boolean>>({})
  const isAsked = (one: Product) =>
    chosen[one.uuid] ??
    (one.ownQuestions ? question !== null && one.questions.includes(question.key) : forAll)
  const [isDeleting, setDeleting] = useState(false)
  const { busy, run, errorAt } = useSubmit()
  const change = (part: Partial<Draft>) => set({ ...draft, ...part })
  const key = question?.key ?? (draft.key || slug(labelOf(draft.label)))
  const submit = async (event: Event) => {
    event.preventDefault()
    const saved = await run(async () => {
      const { key: _, type, subject, ...fields } = valid(draft)
      if (question) await api.patch(`/providers/${uuid}/questions/${key}`, fields)
      else await api.post(`/providers/${uuid}/questions`, { key, type, subject, ...fields })
      if (subject !== 'booking') return true
      const order = [...others.map(one => one.key).filter(one => one !== key), key]
      const sorted = (keys: string[]) => order.filter(one => keys.includes(one))
      const toggled = (keys: string[], isOn: boolean) =>
        sorted(isOn ? [...keys, key] : keys.filter(one => one !== key))
      if (forAll !== ofBusiness.includes(key))
        await api.patch(`/providers/${uuid}/booking`, { questions: toggled(ofBusiness, forAll) })
      for (const one of products)
        if (chosen[one.uuid] !== undefined && (one.ownQuestions || chosen[one.uuid] !== forAll))
          await api.patch(`/products/${one.uuid}`, { questions: toggled(one.questions, isAsked(one)) })
      return true
    })
    if (!saved) return
    showToast(common.saved, { about: labelOf(draft.label) })
    onDone()
  }
  const isTick = draft.type === 'checkbox' || draft.type === 'consent'
  const isOfBooking = draft.subject === 'booking'
  return (
    <Panel title={question ? labelOf(question.label) : texts.add} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        {!question && (
          <SelectField
            label={texts.subject}
            value={draft.subject}
            options={[
              { value: 'booking', label: texts.ofBooking },
              { value: 'customer', label: texts.ofCustomer },
            ]}
            onChange={subject =>
              change({
                subject,
                showIf: null,
                inEmails: false,
                audience: subject === 'customer' ? 'staff' : 'consumer',
              })
            }
          />
        )}
        {!question && (
          <SelectField
            label={common.type}
            value={draft.type}
            options={questionTypes.map(value => ({ value, label: texts.types[value] }))}
            onChange={type =>
              change({
                ...blank,
                label: draft.label,
                help: draft.help,
                key: draft.key,
                subject: draft.subject,
                audience: draft.subject === 'customer' ? 'staff' : 'consumer',
                type,
              })
            }
          />
        )}
        <InLanguages
          label={texts.question}
          value={draft.label}
          onChange={label => change({ label })}
          error={errorAt('label')}
        />
        <InLanguages label={texts.help} value={draft.help ?? {}} onChange={help => change({ help })} />
        {(draft.type === 'choice' || draft.type === 'choices') && (
          <Options draft={draft} onChange={options => change({ options })} error={errorAt('options')} />
        )}
        <Limits draft={draft} onChange={change} errorAt={errorAt} />
        {isOfBooking && (
          <CheckField
            label={isTick ? texts.requiredTick : texts.required}
            checked={draft.required}
            onChange={required => change({ required })}
          />
        )}
        <Condition
          draft={draft}
          others={others.filter(one => one.subject === draft.subject)}
          onChange={change}
          error={errorAt('showIf')}
        />
        {isOfBooking && (
          <>
            <SelectField
              label={texts.audience}
              value={draft.audience}
              options={[
                { value: 'consumer', label: texts.consumer },
                { value: 'staff', label: texts.staff },
              ]}
              onChange={audience => change({ audience })}
            />
            <CheckField
              label={texts.inEmails}
              checked={draft.inEmails}
              onChange={inEmails => change({ inEmails })}
            />
            <NumberField
              label={texts.keepDays}
              hint={texts.keepDaysHint}
              min={0}
              value={draft.keepDays}
              onInput={keepDays => change({ keepDays })}
              error={errorAt('keepDays')}
            />
          </>
        )}
        {!question && (
          <TextField
            label={texts.key}
            hint={texts.keyHint}
            value={key}
            onInput={key => change({ key })}
            error={errorAt('key')}
          />
        )}
        {isOfBooking && (
          <fieldset class="plain">
            <legend>{texts.askedFor}</legend>
            <CheckField
              label={texts.everyService}
              hint={texts.everyServiceHint}
              checked={forAll}
              onChange={setForAll}
            />
            {products.map(one => (
              <CheckField
                key={one.uuid}
                label={one.name}
                checked={isAsked(one)}
                onChange={isOn => setChosen({ ...chosen, [one.uuid]: isOn })}
              />
            ))}
          </fieldset>
        )}
        <DialogButtons busy={busy} onClose={onClose} />
        {question && (
          <>
            <hr />
            <div>
              <Button kind="danger" onClick={() => setDeleting(true)}>
                {texts.remove}
              </Button>
            </div>
          </>
        )}
      </form>
      {isDeleting && (
        <ConfirmDialog
          title={texts.remove}
          action={texts.remove}
          work={() => api.remove(`/providers/${uuid}/questions/${key}`)}
          onClose={() => setDeleting(false)}
          onDone={() => {
            showToast(texts.removed)
            onDone()
          }}
        >
          <p>{texts.removeText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

/** Without empty texts, and with a key for each new option. */
function valid(draft: Draft): Draft {
  const options = draft.options.map((one, index) => ({
    key: one.key || slug(labelOf(one.label)) || `option-${index + 1}`,
    label: one.label,
  }))
  const help = draft.help && Object.values(draft.help).some(Boolean) ? draft.help : null
  return { ...draft, options, help }
}

/** `Grund des Besuchs` becomes `grund-des-besuchs`. */
const slug = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 50)

type InLanguagesProps = {
  label: string
  value: Texts
  onChange: (value: Texts) => void
  error?: string | null
}

/** One field for each language, side by side, the reader's own first. */
function InLanguages({ label, value, onChange, error }: InLanguagesProps) {
  const order = [locale.language, ...languages.filter(one => one !== locale.language)]
  const { language: own } = useProvider()
  const shown = value[own] ? own : Object.keys(value).find(one => value[one])
  const hasSome = Object.values(value).filter(Boolean).length > 1
  return (
    <fieldset class="plain">
      <legend>{label}</legend>
      <div class="fields">
        {order.map((language, index) => (
          <TextField
            key={language}
            label={languageName(language)}
            value={value[language] ?? ''}
            maxLength={1000}
            onInput={text => onChange({ ...value, [language]: text })}
            {...(hasSome && !value[language]
              ? { hint: texts.missingText(languageName((shown ?? locale.language) as 'en')) }
              : {})}
            error={index === 0 ? (error ?? null) : null}
          />
        ))}
      </div>
    </fieldset>
  )
}

type OptionsProps = {
  draft: Draft
  onChange: (options: Draft['options']) => void
  error: string | null
}

function Options({ draft: { options }, onChange, error }: OptionsProps) {
  const rows = options.length > 0 ? options : [{ key: '', label: {} }]
  return (
    <section class="stack">
      <h3>{texts.optionsTitle}</h3>
      {rows.map((option, index) => (
        <div key={index} class="stack framed">
          <InLanguages
            label={texts.option(index + 1)}
            value={option.label}
            onChange={label => onChange(rows.map((one, at) => (at === index ? { ...one, label } : one)))}
            error={index === 0 ? error : null}
          />
          {rows.length > 1 && (
            <div>
              <Button kind="quiet" onClick={() => onChange(rows.filter((_, at) => at !== index))}>
                {texts.removeOption(labelOf(option.label) || texts.option(index + 1))}
              </Button>
            </div>
          )}
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...rows, { key: '', label: {} }])}>{texts.addOption}</Button>
      </div>
    </section>
  )
}

type PartProps = { draft: Draft; onChange: (part: Partial<Draft>) => void }

function Limits({ draft, onChange, errorAt }: PartProps & { errorAt: (field: string) => string | null }) {
  const { type, min, max, maxLength } = draft
  if (type === 'text' || type === 'textarea')
    return (
      <NumberField
        label={texts.maxLength}
        min={1}
        value={maxLength}
        onInput={maxLength => onChange({ maxLength })}
        error={errorAt('maxLength')}
      />
    )
  if (type !== 'number' && type !== 'date') return null
  const read = (text: string) => (text === '' ? null : type === 'number' ? Number(text) : text)
  const kind = type === 'number' ? ('number' as const) : ('date' as const)
  return (
    <div class="fields">
      <TextField
        label={texts.min}
        type={kind}
        value={String(min ?? '')}
        onInput={text => onChange({ min: read(text) })}
        error={errorAt('min')}
      />
      <TextField
        label={texts.max}
        type={kind}
        value={String(max ?? '')}
        onInput={text => onChange({ max: read(text) })}
        error={errorAt('max')}
      />
    </div>
  )
}

/** Only earlier questions with a limited number of answers can decide. */
function Condition({
  draft,
  others,
  onChange,
  error,
}: PartProps & { others: QuestionRecord[]; error: string | null }) {
  const at = others.findIndex(one => one.key === draft.key)
  const earlier = (at < 0 ? others : others.slice(0, at)).filter(one =>
    ['choice', 'choices', 'checkbox', 'consent'].includes(one.type),
  )
  if (earlier.length === 0) return null
  const asked = earlier.find(one => one.key === draft.showIf?.key)
  const choices = (one: QuestionRecord) =>
    one.options.length > 0
      ? one.options.map(option => ({ value: option.key, label: labelOf(option.label) }))
      : [
          { value: 'true', label: common.yes },
          { value: 'false', label: common.no },
        ]
  const readChoice = (one: QuestionRecord, text: string) => (one.options.length > 0 ? text : text === 'true')
  return (
    <div class="fields">
      <SelectField
        label={texts.showIf}
        value={asked?.key ?? ''}
        error={error}
        options={[
          { value: '', label: texts.always },
          ...earlier.map(one => ({ value: one.key, label: labelOf(one.label) })),
        ]}
        onChange={key => {
          const one = earlier.find(other => other.key === key)
          onChange({ showIf: one ? { key, is: readChoice(one, choices(one)[0]!.value) } : null })
        }}
      />
      {asked && (
        <SelectField
          label={texts.answerIs}
          value={String(draft.showIf!.is)}
          options={choices(asked)}
          onChange={text => onChange({ showIf: { key: asked.key, is: readChoice(asked, text) } })}
        />
      )}
    </div>
  )
}
