import { useEffect, useState } from 'preact/hooks'
import { api } from '../../../api.ts'
import { common } from '../../../common-words.ts'
import type { Schemas } from '../../../records.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { binder } from '../../../ui/editing/binder.ts'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { CheckField, SelectField, TextField } from '../../../ui/fields/Field.tsx'
import { useResources } from '../offers.ts'
import { calendarTexts as texts } from './calendar-words.ts'

type Source = Schemas['ListedCalendarSource']
type Kind = Schemas['CalendarSourceInput']['kind']
type Result = Schemas['CalendarSourceTest']

type Fields = {
  kind: Kind
  address: string
  user: string
  password: string
  name: string
  /** Paths; null for all. */
  calendars: string[] | null
  tentativeIsBusy: boolean
  showTitles: boolean
  stayOpen: boolean
  mirrorTo: string | null
  mirrorNames: boolean
}

const empty: Fields = {
  kind: 'ics',
  address: '',
  user: '',
  password: '',
  name: '',
  calendars: null,
  tentativeIsBusy: true,
  showTitles: false,
  stayOpen: true,
  mirrorTo: null,
  mirrorNames: false,
}

const fieldsOf = (source: Source): Fields => ({
  kind: source.kind,
  address: '',
  user: source.user ?? '',
  password: '',
  name: source.name,
  calendars: source.calendars,
  tentativeIsBusy: source.tentativeIsBusy,
  showTitles: source.showTitles,
  stayOpen: source.stayOpen,
  mirrorTo: source.mirrorTo,
  mirrorNames: source.mirrorNames,
})

/** Only these are sent, so that what others changed meanwhile stays. */
function changesOf(before: Fields, after: Fields): Partial<Omit<Fields, 'kind'>> {
  const isSame = (name: string) =>
    JSON.stringify(before[name as keyof Fields]) === JSON.stringify(after[name as keyof Fields])
  return Object.fromEntries(Object.entries(after).filter(([name]) => !isSame(name)))
}

type Props = { source?: Source; onClose: () => void; onDone: () => void }

/** Connects a calendar, or changes one. The test reads it once, so that a wrong address shows before it is saved. */
export function CalendarDialog({ source, onClose, onDone }: Props) {
  const resources = useResources().data?.resources ?? []
  const [chosen, choose] = useState<string | null>(source?.resourceUuid ?? null)
  const resource = chosen ?? resources[0]?.uuid ?? ''
  const [fields, set] = useState(source ? fieldsOf(source) : empty)
  const [result, setResult] = useState<Result | null>(null)
  const saving = useSubmit()
  const trying = useSubmit()
  const path = `/resources/${resource}/calendar_sources` as const
  const change = (part: Partial<Fields>) => set(before => ({ ...before, ...part }))
  /** Another account: what was found is no longer true. */
  const changeAccount = (part: Partial<Fields>) => {
    change({ ...part, calendars: null, mirrorTo: null })
    setResult(null)
  }
  const needsLogin = fields.kind === 'caldav'
  const { kind, ...rest } = fields
  const changed = source ? changesOf(fieldsOf(source), fields) : {}
  const body = {
    ...rest,
    kind,
    user: needsLogin ? rest.user : null,
    password: needsLogin ? rest.password : null,
    name: rest.name || null,
  }
  const errorAt = (field: string) => saving.errorAt(field) ?? trying.errorAt(field)
  const bind = binder(fields, changeAccount, errorAt)
  const test = async () =>
    setResult(
      await trying.run(() =>
        source
          ? api.post(`${path}/${source.uuid}/test`, { ...changed, calendars: null })
          : api.post(`${path}/test`, { ...body, calendars: null }),
      ),
    )
  useEffect(() => {
    if (source && needsLogin) void test()
  }, [])
  const submit = async (event: Event) => {
    event.preventDefault()
    const saved = await saving.run(() =>
      source ? api.patch(`${path}/${source.uuid}`, changed) : api.post(path, body),
    )
    if (saved) onDone()
  }
  return (
    <Dialog title={source ? texts.editTitle : texts.connect} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        {!source && resources.length > 1 && (
          <SelectField
            label={texts.resource}
            value={resource}
            options={resources.map(one => ({ value: one.uuid, label: one.internalName }))}
            onChange={choose}
          />
        )}
        {!source && (
          <SelectField
            label={common.type}
            value={fields.kind}
            options={[
              { value: 'ics', label: texts.ics },
              { value: 'caldav', label: texts.caldav },
            ]}
            onChange={kind => changeAccount({ kind })}
          />
        )}
        <TextField
          label={common.address}
          hint={source ? texts.keepAddress(source.host) : needsLogin ? texts.caldavHint : texts.icsHint}
          type="url"
          required={!source}
          autocomplete="off"
          {...bind.value('address')}
        />
        {needsLogin && (
          <>
            <TextField label={texts.user} required autocomplete="off" {...bind.value('user')} />
            <TextField
              label={texts.password}
              hint={source ? texts.keepPassword : texts.passwordHint}
              type="password"
              required={!source}
              autocomplete="off"
              value={fields.password}
              error={errorAt('password')}
              onInput={password => (source ? change({ password }) : changeAccount({ password }))}
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
        <Readable fields={fields} result={result} change={change} />
        {needsLogin && (
          <MirrorFields fields={fields} result={result} error={errorAt('mirrorTo')} change={change} />
        )}
        <TextField label={texts.name} maxLength={100} {...binder(fields, change, errorAt).value('name')} />
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
        <DialogButtons busy={saving.busy} onClose={onClose} action={source ? common.save : texts.connect} />
      </form>
    </Dialog>
  )
}

type PartProps = { fields: Fields; result: Result | null; change: (part: Partial<Fields>) => void }

/** Which calendars of an account are read. */
function Readable({ fields: { calendars }, result, change }: PartProps) {
  const found = result?.calendars ?? []
  if (found.length < 2) return null
  const isRead = (path: string) => calendars === null || calendars.includes(path)
  const toggle = (path: string) => {
    const next = found.map(one => one.path).filter(one => isRead(one) !== (one === path))
    // At least one; all of them means new ones too.
    if (next.length > 0) change({ calendars: next.length === found.length ? null : next })
  }
  return (
    <fieldset>
      <legend>{texts.toRead}</legend>
      {found.map(({ path, name }) => (
        <CheckField key={path} label={name} checked={isRead(path)} onChange={() => toggle(path)} />
      ))}
    </fieldset>
  )
}

/** The calendar that bookings are written to. */
function MirrorFields({ fields, result, error, change }: PartProps & { error: string | null }) {
  const { mirrorTo, mirrorNames } = fields
  const found = result?.calendars ?? []
  const isUnlisted = mirrorTo !== null && !found.some(one => one.path === mirrorTo)
  const options = [
    { value: '', label: texts.mirrorNone },
    ...found.map(({ path, name }) => ({ value: path, label: name })),
    ...(isUnlisted ? [{ value: mirrorTo, label: mirrorTo }] : []),
  ]
  return (
    <>
      <SelectField
        label={texts.mirrorTo}
        value={mirrorTo ?? ''}
        options={options}
        error={error}
        {...(found.length === 0 ? { hint: texts.mirrorTest } : {})}
        onChange={path => change({ mirrorTo: path || null })}
      />
      {mirrorTo !== null && (
        <CheckField
          label={texts.mirrorNames}
          hint={texts.mirrorNamesHint}
          checked={mirrorNames}
          onChange={mirrorNames => change({ mirrorNames })}
        />
      )}
    </>
  )
}

function resultText({ ok, calendars, busyNextWeek, error }: Result): string {
  if (!ok && error) return texts.problems[error.code]
  const busy = texts.busy(busyNextWeek)
  return calendars.length === 0 ? texts.foundOne(busy) : texts.found(texts.calendars(calendars.length), busy)
}
