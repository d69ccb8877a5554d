import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { Language } from '#shared/texts/index.ts'
import { browserZone } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import { may, rememberWelcome, useProvider, useSession } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { NumberField, SelectField, TextField } from '../../ui/Field.tsx'
import { NameField } from '../../ui/NameField.tsx'
import { LanguageField, ZoneField } from '../../ui/PlaceFields.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { locale } from '../../words.ts'
import { ownEmailOf, ownNameOf } from './own-details.ts'
import { texts } from './words.ts'

/** Creates the business. */
export function NewBusiness() {
  const { me, reload, choose } = useSession()
  const [, go] = useLocation()
  const [fields, set] = useState({
    name: '',
    ownerName: ownNameOf(me),
    ownerEmail: ownEmailOf(me),
    timeZone: browserZone(),
    language: locale.language as Language,
    crm: null as string | null,
  })
  const crms = useCrms()
  const { busy, run, errorAt } = useSubmit()
  const settle = useUnsaved(fields.name !== '')
  const change = (part: Partial<typeof fields>) => set(before => ({ ...before, ...part }))
  const submit = async (event: Event) => {
    event.preventDefault()
    const crm = fields.crm ?? crms[0] ?? null
    const made = await run(() => api.post('/providers', { ...fields, crm: crms.length > 1 ? crm : null }))
    if (!made) return
    settle()
    // The name has been entered by now.
    if (ownNameOf(me) === '') await api.patch('/session', { name: fields.ownerName }).catch(() => null)
    rememberWelcome()
    await reload()
    choose(made.uuid)
    go('/start')
  }
  return (
    <form class="stack narrow" onSubmit={submit} noValidate>
      <NameField
        label={texts.businessName}
        hint={texts.businessNameHint}
        value={fields.name}
        onInput={name => change({ name })}
        error={errorAt('name')}
      />
      <TextField
        label={texts.ownerName}
        required
        autocomplete="name"
        value={fields.ownerName}
        onInput={ownerName => change({ ownerName })}
        error={errorAt('ownerName')}
      />
      <TextField
        label={texts.ownerEmail}
        hint={texts.ownerEmailHint}
        type="email"
        required
        value={fields.ownerEmail}
        onInput={ownerEmail => change({ ownerEmail })}
        error={errorAt('ownerEmail')}
      />
      <div class="fields">
        <ZoneField
          label={texts.timeZone}
          value={fields.timeZone}
          onChange={timeZone => change({ timeZone })}
          error={errorAt('timeZone')}
        />
        <LanguageField
          label={texts.language}
          value={fields.language}
          onChange={language => change({ language })}
        />
      </div>
      {crms.length > 1 && (
        <SelectField
          label={texts.crm}
          value={fields.crm ?? crms[0]!}
          options={crms.map(value => ({ value, label: value }))}
          onChange={crm => change({ crm })}
          error={errorAt('crm')}
        />
      )}
      <Next busy={busy} />
    </form>
  )
}

/** CRMs in which an operator can create it; the demo is not one of them. */
function useCrms(): string[] {
  const { me } = useSession()
  const { data } = useLoad(may(me, 'service') ? 'crms' : null, signal => api.get('/crms', { signal }))
  return data?.crms.map(one => one.name).filter(name => name !== 'demo') ?? []
}

export function FirstProduct({ onDone }: { onDone: () => Promise<void> }) {
  const provider = useProvider()
  const [name, setName] = useState('')
  const [minutes, setMinutes] = useState<number | null>(30)
  const { busy, run, errorAt } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = { name, minDuration: minutes, maxDuration: minutes }
    if (await run(() => api.post(`/providers/${provider.uuid}/products`, body))) await onDone()
  }
  return (
    <form class="stack narrow" onSubmit={submit} noValidate>
      <NameField
        label={texts.productName}
        hint={texts.productNameHint}
        value={name}
        onInput={setName}
        error={errorAt('name')}
      />
      <NumberField
        label={texts.minutes}
        min={5}
        step={5}
        value={minutes}
        onInput={setMinutes}
        error={errorAt('minDuration')}
      />
      <Next busy={busy} />
    </form>
  )
}

const Next = ({ busy }: { busy: boolean }) => (
  <div>
    <Button kind="main" type="submit" busy={busy}>
      {texts.continue}
    </Button>
  </div>
)
