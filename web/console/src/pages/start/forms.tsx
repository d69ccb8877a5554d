import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { Language } from '#shared/texts/index.ts'
import { browserZone } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { useProvider, useSession } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { NumberField, SelectField, TextField } from '../../ui/Field.tsx'
import { LanguageField } from '../../ui/LanguageField.tsx'
import { NameField } from '../../ui/NameField.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { locale } from '../../words.ts'
import { texts } from './words.ts'

/** The business itself: whose appointments are booked. */
export function NewBusiness() {
  const { me, reload, choose } = useSession()
  const [, go] = useLocation()
  const [fields, set] = useState({
    name: '',
    ownerName: me.name.includes('@') ? '' : me.name,
    ownerEmail: me.email,
    timeZone: browserZone(),
    language: locale.language as Language,
  })
  const { busy, run, errorAt } = useSending()
  const change = (part: Partial<typeof fields>) => set(before => ({ ...before, ...part }))
  const submit = async (event: Event) => {
    event.preventDefault()
    const made = await run(() => api.post('/providers', fields))
    if (!made) return
    // Whoever was invited by address alone has told their name now.
    if (me.name.includes('@')) await api.patch('/session', { name: fields.ownerName }).catch(() => null)
    choose(made.uuid)
    go('/start')
    await reload()
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
        <SelectField
          label={texts.timeZone}
          value={fields.timeZone}
          options={zones(fields.timeZone).map(value => ({ value, label: value.replaceAll('_', ' ') }))}
          onChange={timeZone => change({ timeZone })}
          error={errorAt('timeZone')}
        />
        <LanguageField
          label={texts.language}
          value={fields.language}
          onChange={language => change({ language })}
        />
      </div>
      <Next busy={busy} />
    </form>
  )
}

/** The browser may call its zone by a name that it does not list. */
const zones = (own: string) => [...new Set([own, ...Intl.supportedValuesOf('timeZone')])].sort()

export function FirstProduct({ onDone }: { onDone: () => Promise<void> }) {
  const provider = useProvider()
  const [name, setName] = useState('')
  const [minutes, setMinutes] = useState<number | null>(30)
  const { busy, run, errorAt } = useSending()
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

export function FirstResource({ onDone }: { onDone: () => Promise<void> }) {
  const provider = useProvider()
  const [publicName, setName] = useState('')
  const { busy, run, errorAt } = useSending()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await run(() => api.post(`/providers/${provider.uuid}/resources`, { publicName }))) await onDone()
  }
  return (
    <form class="stack narrow" onSubmit={submit} noValidate>
      <NameField
        label={texts.resourceName}
        hint={texts.resourceNameHint}
        value={publicName}
        onInput={setName}
        error={errorAt('publicName')}
      />
      <Next busy={busy} />
    </form>
  )
}

const Next = ({ busy }: { busy: boolean }) => (
  <div>
    <Button kind="main" type="submit" busy={busy}>
      {texts.goOn}
    </Button>
  </div>
)
