import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { moment } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip, type Tone } from '../../ui/Chip.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { CopyBox } from '../../ui/dialogs/CopyBox.tsx'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { SecretDialog } from '../../ui/dialogs/SecretDialog.tsx'
import { ExportList, exportTexts } from '../../ui/ExportButton.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { CheckField, TextField } from '../../ui/fields/Field.tsx'
import { Empty, Pending, SectionHead } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './words.ts'

type Key = Schemas['ApiKey']
type Issued = Schemas['IssuedApiKey']
type Scope = NonNullable<Schemas['ApiKeyInput']['scopes']>[number]
type Asking = { what: 'rotate' | 'revoke'; key: Key }

const tones: Record<Key['state'], Tone> = { valid: 'good', expired: 'off', revoked: 'bad' }

export function Keys({ crm }: { crm: string }) {
  const path = `/crms/${encodeURIComponent(crm)}/keys` as const
  const loaded = useLoad(`keys-${crm}`, signal => api.get(path, { signal }))
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  const shown = (issued: Issued) => {
    setMaking(false)
    setSecret(issued.secret)
    void loaded.reload()
  }
  const make = <Button onClick={() => setMaking(true)}>{texts.createKey}</Button>
  return (
    <section class="stack" aria-labelledby="keys">
      <SectionHead
        id="keys"
        title={texts.keys}
        text={texts.keysText}
        action={
          loaded.data?.keys.length !== 0 && (
            <>
              <ExportList
                file={texts.keys}
                heads={[exportTexts.name, exportTexts.status, exportTexts.details]}
                cells={(one: Key) => [
                  one.label ?? `hf_${one.prefix}_…`,
                  texts.states[one.state],
                  factsOf(one),
                ]}
                rows={loaded.data?.keys}
              />
              {make}
            </>
          )
        }
      />
      <Pending of={loaded} rows={2} />
      {loaded.data?.keys.length === 0 && <Empty action={make}>{texts.noKeys}</Empty>}
      <ul class="lines">
        {loaded.data?.keys.map(key => (
          <li key={key.uuid}>
            <span class="wrap">
              <strong>{key.label ?? `hf_${key.prefix}_…`}</strong>
              <br />
              <span class="soft">{factsOf(key)}</span>
            </span>
            <span class="row">
              <Chip tone={tones[key.state]}>{texts.states[key.state]!}</Chip>
              {key.state === 'valid' && (
                <>
                  <Button
                    label={`${texts.rotate}: ${key.label ?? key.prefix}`}
                    onClick={() => setAsking({ what: 'rotate', key })}
                  >
                    {texts.rotate}
                  </Button>
                  <Button
                    kind="danger"
                    label={`${texts.revoke}: ${key.label ?? key.prefix}`}
                    onClick={() => setAsking({ what: 'revoke', key })}
                  >
                    {texts.revoke}
                  </Button>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <CopyBox label={texts.tryIt} text={firstCall(crm)} />
      {isMaking && <MakeKey path={path} onClose={() => setMaking(false)} onDone={shown} />}
      {secret && (
        <SecretDialog
          title={texts.newKey}
          text={texts.newKeyText}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
      {asking && (
        <ConfirmDialog
          title={`${texts[asking.what]}: ${asking.key.label ?? asking.key.prefix}`}
          action={texts[asking.what]}
          work={async () => {
            const one = `${path}/${asking.key.uuid}` as const
            if (asking.what === 'rotate') shown(await api.post(`${one}/rotate`, {}))
            else await api.remove(one)
          }}
          onClose={() => setAsking(null)}
          onDone={() => {
            if (asking.what === 'revoke') showToast(texts.revoked)
            setAsking(null)
            void loaded.reload()
          }}
        >
          <p>{asking.what === 'rotate' ? texts.rotateText : texts.revokeText}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

/** A complete first call: address, tenant and header. */
const firstCall = (crm: string) =>
  `curl ${location.origin}/crms/${encodeURIComponent(crm)}/events -H 'X-SERVICE-CLIENT-ID: hf_…'`

function factsOf({ label, prefix, scopes, lastUsedAt, expiresAt, state }: Key): string {
  const all = Object.keys(texts.scopeNames)
  const may = all.every(one => scopes.includes(one as Scope))
    ? texts.allScopes
    : scopes.map(one => texts.scopeNames[one] ?? one).join(', ')
  const used = `${common.lastUsed}: ${lastUsedAt ? moment(lastUsedAt) : common.never}`
  const ends = expiresAt && state === 'valid' ? `${texts.expires} ${moment(expiresAt)}` : null
  return [label && `hf_${prefix}_…`, may, used, ends].filter(Boolean).join(' · ')
}

type MakeProps = { path: `/crms/${string}/keys`; onDone: (issued: Issued) => void; onClose: () => void }

function MakeKey({ path, onDone, onClose }: MakeProps) {
  const all = Object.keys(texts.scopeNames) as Scope[]
  const [label, setLabel] = useState('')
  const [days, setDays] = useState('')
  const [scopes, setScopes] = useState(all)
  const { busy, run, errorAt } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = { label: label.trim() || null, scopes, days: days ? Number(days) : null }
    const issued = await run(() => api.post(path, body))
    if (issued) onDone(issued)
  }
  const toggle = (scope: Scope, isOn: boolean) =>
    setScopes(before => all.filter(one => (one === scope ? isOn : before.includes(one))))
  return (
    <Dialog title={texts.createKey} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <TextField
          label={common.label}
          value={label}
          maxLength={100}
          onInput={setLabel}
          error={errorAt('label')}
        />
        <fieldset class="choices">
          <legend>{texts.scopes}</legend>
          {all.map(scope => (
            <CheckField
              key={scope}
              label={texts.scopeNames[scope]!}
              checked={scopes.includes(scope)}
              onChange={isOn => toggle(scope, isOn)}
            />
          ))}
          {errorAt('scopes') && <p class="error">{errorAt('scopes')}</p>}
        </fieldset>
        <TextField
          label={texts.expiresAfterDays}
          hint={texts.expiresAfterDaysHint}
          type="number"
          min={1}
          max={3650}
          value={days}
          onInput={setDays}
          error={errorAt('days')}
        />
        <DialogButtons onClose={onClose} action={texts.createKey} busy={busy} />
      </form>
    </Dialog>
  )
}
