import { useState } from 'preact/hooks'
import { api } from '../../../api.ts'
import type { Schemas } from '../../../records.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/Field.tsx'
import { FormButtons } from '../../../ui/FormButtons.tsx'
import { useSubmit } from '../../../ui/use-submit.ts'
import { useResources } from '../offers.ts'
import { calendarTexts as texts } from './calendar-words.ts'

type Kind = Schemas['CalendarSourceInput']['kind']
type Result = Schemas['CalendarSourceTest']

type Fields = {
  kind: Kind
  address: string
  user: string
  password: string
  name: string
  tentativeIsBusy: boolean
  showTitles: boolean
  stayOpen: boolean
}

const empty: Fields = {
  kind: 'ics',
  address: '',
  user: '',
  password: '',
  name: '',
  tentativeIsBusy: true,
  showTitles: false,
  stayOpen: true,
}

/** Connects a calendar. The test reads it once, so that a wrong address shows before it is saved. */
export function ConnectDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const resources = useResources().data?.resources ?? []
  const [chosen, choose] = useState<string | null>(null)
  const resource = chosen ?? resources[0]?.uuid ?? ''
  const [fields, set] = useState(empty)
  const [result, setResult] = useState<Result | null>(null)
  /** Paths of calendars that are not read; by default all are. */
  const [left, setLeft] = useState<string[]>([])
  const saving = useSubmit()
  const trying = useSubmit()
  const path = `/resources/${resource}/calendar_sources` as const
  const change = (part: Partial<Fields>) => set(before => ({ ...before, ...part }))
  /** Another account: what was found is no longer true. */
  const changeAccount = (part: Partial<Fields>) => {
    change(part)
    setResult(null)
    setLeft([])
  }
  const found = result?.calendars.map(one => one.path) ?? []
  const needsLogin = fields.kind === 'caldav'
  const body = {
    ...fields,
    user: needsLogin ? fields.user : null,
    password: needsLogin ? fields.password : null,
    name: fields.name || null,
    calendars:
      left.length > 0 && found.length > left.length ? found.filter(path => !left.includes(path)) : null,
  }
  const errorAt = (field: string) => saving.errorAt(field) ?? trying.errorAt(field)
  const test = async () => setResult(await trying.run(() => api.post(`${path}/test`, body)))
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await saving.run(() => api.post(path, body))) onDone()
  }
  return (
    <Dialog title={texts.connect} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        {resources.length > 1 && (
          <SelectField
            label={texts.resource}
            value={resource}
            options={resources.map(one => ({ value: one.uuid, label: one.internalName }))}
            onChange={choose}
          />
        )}
        <SelectField
          label={texts.kind}
          value={fields.kind}
          options={[
            { value: 'ics', label: texts.ics },
            { value: 'caldav', label: texts.caldav },
          ]}
          onChange={kind => changeAccount({ kind })}
        />
        <TextField
          label={texts.address}
          hint={needsLogin ? texts.caldavHint : texts.icsHint}
          type="url"
          required
          autocomplete="off"
          value={fields.address}
          error={errorAt('address')}
          onInput={address => changeAccount({ address })}
        />
        {needsLogin && (
          <>
            <TextField
              label={texts.user}
              required
              autocomplete="off"
              value={fields.user}
              error={errorAt('user')}
              onInput={user => changeAccount({ user })}
            />
            <TextField
              label={texts.password}
              hint={texts.passwordHint}
              type="password"
              required
              autocomplete="off"
              value={fields.password}
              error={errorAt('password')}
              onInput={password => changeAccount({ password })}
            />
          </>
        )}
        <div class="stack">
          <span>
            <Button busy={trying.busy} onClick={test}>
              {texts.test}
            </Button>
          </span>
          <p role="status" class={result && !result.ok ? 'error' : undefined}>
            {result && resultText(result)}
          </p>
        </div>
        {found.length > 1 && (
          <fieldset>
            <legend>{texts.toRead}</legend>
            {result?.calendars.map(({ path, name }) => (
              <CheckField
                key={path}
                label={name}
                checked={!left.includes(path)}
                onChange={isRead => setLeft(isRead ? left.filter(one => one !== path) : [...left, path])}
              />
            ))}
          </fieldset>
        )}
        <TextField
          label={texts.name}
          value={fields.name}
          maxLength={100}
          error={errorAt('name')}
          onInput={name => change({ name })}
        />
        <CheckField
          label={texts.tentative}
          checked={fields.tentativeIsBusy}
          onChange={tentativeIsBusy => change({ tentativeIsBusy })}
        />
        <CheckField
          label={texts.titles}
          hint={texts.titlesHint}
          checked={fields.showTitles}
          onChange={showTitles => change({ showTitles })}
        />
        <CheckField
          label={texts.stayOpen}
          hint={texts.stayOpenHint}
          checked={fields.stayOpen}
          onChange={stayOpen => change({ stayOpen })}
        />
        <FormButtons busy={saving.busy} onClose={onClose} action={texts.connect} />
      </form>
    </Dialog>
  )
}

function resultText({ ok, calendars, busyNextWeek, error }: Result): string {
  if (!ok && error) return texts.problems[error.code]
  const busy = texts.busy(busyNextWeek)
  return calendars.length === 0 ? texts.foundOne(busy) : texts.found(texts.calendars(calendars.length), busy)
}
