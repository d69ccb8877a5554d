import { useEffect, useRef, useState } from 'preact/hooks'
import { api, Problem } from '../../api.ts'
import { common, sentenceOf } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { Button } from '../../ui/Button.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { texts } from './words.ts'

type Props = { email?: string; onDone: () => Promise<boolean> }

/** Login with an emailed link, a password, or the organisation's own login (OIDC). */
export function LoginForm({ email: known = '', onDone }: Props) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [chosen, setWay] = useState<'link' | 'password' | 'sent'>('link')
  const methods = useLoad('ways-in', signal => api.get('/session/ways', { signal }))
  const hasLinks = methods.data?.link !== false
  const way = hasLinks ? chosen : 'password'
  const { busy, problem, run, errorAt, clear } = useSubmit()
  const [needsCode, setNeedsCode] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (needsCode) form.current?.querySelector<HTMLElement>('[autocomplete="one-time-code"]')?.focus()
  }, [needsCode])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (way === 'link') {
      if (await run(() => api.post('/session/link', { email }))) setWay('sent')
      return
    }
    const result = await run(() => logIn({ email, password, code: code || null }))
    if (result === 'in') await onDone()
    else if (result === 'code') setNeedsCode(true)
  }
  const turn = (to: 'link' | 'password') => {
    clear()
    setWay(to)
  }
  if (way === 'sent') return <Sent email={email} onDone={onDone} onBack={() => turn('link')} />
  const hasField = problem?.faults.some(one => one.field)
  return (
    <form ref={form} class="stack" onSubmit={submit} noValidate>
      <TextField
        label={common.emailAddress}
        type="email"
        autocomplete="username"
        required
        value={email}
        onInput={setEmail}
        error={errorAt('email')}
      />
      {way === 'password' && (
        <TextField
          label={common.password}
          type="password"
          autocomplete="current-password"
          value={password}
          onInput={setPassword}
          error={errorAt('password')}
        />
      )}
      {way === 'password' && needsCode && (
        <TextField
          label={common.code}
          hint={texts.codeHint}
          autocomplete="one-time-code"
          value={code}
          onInput={setCode}
          error={errorAt('code')}
        />
      )}
      {problem && !hasField && (
        <p class="trouble" role="alert">
          {sentenceOf(problem)}
        </p>
      )}
      <Button kind="main" type="submit" busy={busy}>
        {way === 'link' ? texts.sendLink : texts.title}
      </Button>
      {hasLinks ? (
        <Button onClick={() => turn(way === 'link' ? 'password' : 'link')}>
          {way === 'link' ? texts.withPassword : texts.withLink}
        </Button>
      ) : (
        <p class="soft">{texts.noLinks}</p>
      )}
      {methods.data?.oidc && (
        <a class="button" href="/console/login/oidc">
          {texts.withOidc}
        </a>
      )}
    </form>
  )
}

/** Being asked for a code is the next step, not a failure, unless one was sent. */
async function logIn(credentials: { email: string; password: string; code: string | null }) {
  try {
    await api.post('/session/password', credentials)
    return 'in'
  } catch (error) {
    if (error instanceof Problem && error.code === 'code-required' && credentials.code === null) return 'code'
    throw error
  }
}

type SentProps = { email: string; onDone: () => Promise<boolean>; onBack: () => void }

/** The link may be opened in another tab; this one then continues, too. */
function Sent({ email, onDone, onBack }: SentProps) {
  const [isEarly, setEarly] = useState(false)
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void onDone()
    addEventListener('visibilitychange', look)
    return () => removeEventListener('visibilitychange', look)
  }, [onDone])
  return (
    <div class="stack" role="status">
      <h2>{texts.sentTitle}</h2>
      <p>{texts.sent(email)}</p>
      {isEarly && <p class="trouble">{texts.notLoggedInYet}</p>}
      <Button kind="main" onClick={async () => setEarly(!(await onDone()))}>
        {texts.openedLink}
      </Button>
      <Button onClick={onBack}>{texts.otherAddress}</Button>
    </div>
  )
}
