import { useState } from 'preact/hooks'
import { renderSVG } from 'uqr'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { Schemas } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { CopyBox } from '../../ui/dialogs/CopyBox.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './words.ts'

type Begun = Schemas['SecondFactor']

export function SecondFactor({ isOn: wasOn, hasPassword }: { isOn: boolean; hasPassword: boolean }) {
  const [isOn, setOn] = useState(wasOn)
  const [begun, setBegun] = useState<Begun | null>(null)
  const [isEnding, setEnding] = useState(false)
  const { busy, run } = useSubmit()
  const begin = async () => setBegun(await run(() => api.post('/session/totp')))
  return (
    <section class="card stack" aria-labelledby="totp">
      <h2 id="totp">{texts.totp}</h2>
      <p class="soft">{isOn ? texts.totpOn : hasPassword ? texts.totpOff : texts.totpNeedsPassword}</p>
      <div class="row">
        {isOn && <Chip tone="good">{texts.totp}</Chip>}
        {isOn && <Button onClick={() => setEnding(true)}>{common.turnOff}</Button>}
        {!isOn && (
          <Button busy={busy} disabled={!hasPassword} onClick={begin}>
            {texts.totpSetUp}
          </Button>
        )}
      </div>
      {begun && <Begin begun={begun} onClose={() => setBegun(null)} onOn={() => setOn(true)} />}
      {isEnding && (
        <End
          onClose={() => setEnding(false)}
          onOff={() => {
            setOn(false)
            setEnding(false)
            showToast(texts.totpTurnedOff)
          }}
        />
      )}
    </section>
  )
}

function Begin({ begun, onClose, onOn }: { begun: Begun; onClose: () => void; onOn: () => void }) {
  const [code, setCode] = useState('')
  const [codes, setCodes] = useState<string[] | null>(null)
  const { busy, run, errorAt } = useSubmit()
  const confirm = async (event: Event) => {
    event.preventDefault()
    const done = await run(() => api.post('/session/totp/confirm', { code }))
    if (!done) return
    setCodes(done.recoveryCodes)
    onOn()
  }
  if (codes)
    return (
      <Dialog title={texts.recovery} onClose={onClose}>
        <p>{texts.recoveryText}</p>
        <CopyBox label={texts.recovery} text={codes.join('\n')} />
        <div class="dialog-end">
          <Button kind="main" onClick={onClose}>
            {texts.codesSaved}
          </Button>
        </div>
      </Dialog>
    )
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(begun.uri, { border: 2 }))}`
  return (
    <Dialog title={texts.totp} onClose={onClose}>
      <form class="stack" onSubmit={confirm} noValidate>
        <p>{texts.totpScan}</p>
        <img class="qr" src={picture} alt={texts.qr} width={200} height={200} />
        <CopyBox label={texts.totpSecret} text={begun.secret} />
        <CodeField code={code} onInput={setCode} error={errorAt('code')} />
        <div class="dialog-end">
          <Button kind="main" type="submit" busy={busy}>
            {common.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function End({ onClose, onOff }: { onClose: () => void; onOff: () => void }) {
  const [code, setCode] = useState('')
  const { busy, run, errorAt } = useSubmit()
  const end = async (event: Event) => {
    event.preventDefault()
    const isOff = await run(async () => {
      await api.post('/session/totp/end', { code })
      return true
    })
    if (isOff) onOff()
  }
  return (
    <Dialog title={common.turnOff} onClose={onClose}>
      <form class="stack" onSubmit={end} noValidate>
        <CodeField code={code} onInput={setCode} error={errorAt('code')} />
        <div class="dialog-end">
          <Button kind="danger" type="submit" busy={busy}>
            {common.turnOff}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type CodeProps = { code: string; onInput: (code: string) => void; error: string | null }

const CodeField = ({ code, onInput, error }: CodeProps) => (
  <TextField label={common.code} autocomplete="one-time-code" value={code} onInput={onInput} error={error} />
)
