import { useRef, useState } from 'preact/hooks'
import { useParams } from 'wouter-preact'
import { maxEmailText, placeholders, unknownPlaceholder } from '#shared/placeholders.ts'
import { type Language, languages } from '#shared/texts/index.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useGo } from '../../navigation.ts'
import type { Schemas } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { Button } from '../../ui/Button.tsx'
import { ConflictNotice } from '../../ui/editing/ConflictNotice.tsx'
import { useEdit } from '../../ui/editing/use-edit.ts'
import { Field, SelectField } from '../../ui/fields/Field.tsx'
import { Page, Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { languageName } from '../../words.ts'
import { mailNames } from '../appointment/words.ts'
import { EmailPreview } from './EmailPreview.tsx'
import { MailTabs } from './MailTabs.tsx'
import { texts } from './text-words.ts'
import './email-texts.css'

type Texts = Schemas['EmailTexts']
type Kind = Texts['kind']

/** What the business adds to its emails, by kind and language, with a preview. */
export default function EmailTexts() {
  const { uuid, language: own } = useProvider()
  const { kind = 'booked' } = useParams()
  const go = useGo()
  const [language, speak] = useState<Language>(own)
  const loaded = useLoad(`email-texts-${uuid}`, signal =>
    api.get(`/providers/${uuid}/email-texts`, { signal }),
  )
  const kinds = loaded.data?.kinds ?? []
  return (
    <Page title={shell.mails}>
      <MailTabs />
      <p class="soft">{texts.intro}</p>
      <Pending of={loaded} rows={10} />
      {kinds.length > 0 && (
        <>
          <div class="fields">
            <SelectField
              label={common.email}
              value={kind as Kind}
              options={kinds.map(one => ({ value: one.kind, label: withMarks(one) }))}
              hint={texts.sentWhen[kind as Kind]}
              onChange={value => go(`/mails/texts/${value}`)}
            />
            <SelectField
              label={common.language}
              value={language}
              options={languages.map(value => ({ value, label: languageName(value) }))}
              hint={texts.onlyIn(languageName(language))}
              onChange={speak}
            />
          </div>
          <Form
            key={`${uuid}-${kind}`}
            uuid={uuid}
            kind={kind as Kind}
            language={language}
            onSaved={loaded.reload}
          />
        </>
      )}
    </Page>
  )
}

/** The name of the email, and the languages in which it has a text. */
function withMarks(texts: Texts): string {
  const written = languages.filter(one => texts[one] !== null).map(one => one.toUpperCase())
  return [mailNames[texts.kind] ?? texts.kind, written.join(', ')].filter(Boolean).join(' · ')
}

type FormProps = { uuid: string; kind: Kind; language: Language; onSaved: () => Promise<void> }

function Form({ uuid, kind, language, onSaved }: FormProps) {
  const edit = useEdit(`/providers/${uuid}/email-texts/${kind as string}`)
  const [refused, refuse] = useState<string | null>(null)
  const { draft } = edit
  if (edit.loading.problem || !draft) return <Pending of={edit.loading} rows={10} />
  const text = draft[language] ?? ''
  const unknown = unknownPlaceholder(text)
  const saveError = edit.errorAt(language)
  const error = unknown === null ? (refused ?? saveError) : texts.unknown(`{${unknown}}`)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!(await edit.save())) return
    showToast(common.saved, { about: mailNames[kind] ?? kind, undo: edit.undo(onSaved) })
    await onSaved()
  }
  return (
    <div class="beside">
      <form class="stack" onSubmit={submit} noValidate>
        <ConflictNotice theirs={edit.theirs} labels={languageNames} onDrop={edit.drop} />
        <TextEditor
          key={language}
          text={text}
          language={language}
          error={error}
          onInput={value => edit.change({ [language]: value || null })}
        />
        <div class="save-bar">
          <Button
            kind="quiet"
            disabled={draft[language] === null}
            onClick={() => edit.change({ [language]: null })}
          >
            {texts.reset}
          </Button>
          <Button kind="main" type="submit" busy={edit.busy} disabled={!edit.isChanged}>
            {common.save}
          </Button>
        </div>
      </form>
      <EmailPreview uuid={uuid} kind={kind} language={language} text={text} onRefused={refuse} />
    </div>
  )
}

const languageNames = Object.fromEntries(languages.map(one => [one, languageName(one)]))

const names = Object.keys(placeholders) as (keyof typeof placeholders)[]

type EditorProps = { text: string; language: Language; error: string | null; onInput: (text: string) => void }

/** A text in Markdown. Buttons write the marks for those who do not know them. */
function TextEditor({ text, language, error, onInput }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  /** Puts the marks around the selection, or writes them where the cursor is. */
  const write = (before: string, after = '', sample = '') => {
    const field = area.current!
    const selected = field.value.slice(field.selectionStart, field.selectionEnd)
    // Markdown has no marks beside a space.
    const from = field.selectionStart + selected.length - selected.trimStart().length
    const to = Math.max(from, field.selectionEnd - selected.length + selected.trimEnd().length)
    const inside = selected.trim() || sample
    field.setRangeText(before + inside + after, from, to, 'end')
    if (sample) field.setSelectionRange(from + before.length, from + before.length + inside.length)
    field.focus()
    onInput(field.value)
  }
  /** On a line of its own. */
  const list = () =>
    write(/(^|\n)$/.test(area.current!.value.slice(0, area.current!.selectionStart)) ? '- ' : '\n- ')
  const left = maxEmailText - text.length
  const hint = left < 200 ? texts.left(Math.max(0, left)) : texts.place
  return (
    <>
      <Field label={texts.text(languageName(language))} hint={hint} error={error}>
        {ids => (
          <>
            <div class="row" role="toolbar" aria-label={texts.format}>
              <Button kind="quiet" onClick={() => write('**', '**', texts.sample)}>
                <b>{texts.bold}</b>
              </Button>
              <Button kind="quiet" onClick={() => write('*', '*', texts.sample)}>
                <i>{texts.italic}</i>
              </Button>
              <Button kind="quiet" onClick={list}>
                {texts.list}
              </Button>
              <Button kind="quiet" onClick={() => write('[', '](https://)', texts.sample)}>
                {texts.link}
              </Button>
            </div>
            <textarea
              {...ids}
              ref={area}
              rows={9}
              lang={language}
              dir="auto"
              maxLength={maxEmailText}
              value={text}
              onInput={event => onInput(event.currentTarget.value)}
            />
          </>
        )}
      </Field>
      <fieldset class="placeholders">
        <legend>{texts.placeholders}</legend>
        {names.map(name => (
          <Button key={name} onClick={() => write(`{${name}}`)}>
            {texts.meanings[name]} <code>{`{${name}}`}</code>
          </Button>
        ))}
      </fieldset>
    </>
  )
}
