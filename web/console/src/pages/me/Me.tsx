import { useState } from 'preact/hooks'
import { type Language, languages } from '#shared/texts/index.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useSession } from '../../session.ts'
import { moment } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Changed } from '../../ui/Changed.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { Page, Skeleton, Trouble } from '../../ui/Page.tsx'
import { say } from '../../ui/toasts.tsx'
import { useEditOf } from '../../ui/use-edit.ts'
import { useSending } from '../../ui/use-sending.ts'
import { chooseLanguage, languageName, locale } from '../../words.ts'
import { SecondFactor } from './SecondFactor.tsx'
import { texts } from './words.ts'

/** My own login: name, language, password, second factor, and where I am logged in. */
export default function Me() {
  const { me, reload } = useSession()
  const [hasPassword, setHasPassword] = useState(me.hasPassword)
  return (
    <Page title={texts.title}>
      <p class="soft">{me.email}</p>
      <About onSaved={reload} />
      <Password hasPassword={hasPassword} onSet={() => setHasPassword(true)} />
      <SecondFactor isOn={me.hasTotp} hasPassword={hasPassword} />
      <Sessions />
    </Page>
  )
}

function About({ onSaved }: { onSaved: () => Promise<void> }) {
  const edit = useEditOf('/session', session => session.me)
  const [picked, setPicked] = useState<Language | null>(null)
  const { draft } = edit
  if (edit.trouble) return <Trouble problem={edit.trouble} onRetry={edit.read} />
  if (!draft) return <Skeleton rows={3} />
  // The console may speak the browser's language until somebody saves theirs.
  const language = picked ?? locale.language
  const save = async (event: Event) => {
    event.preventDefault()
    const saved = await edit.save()
    if (!saved) return
    say(common.saved)
    await onSaved()
    if (saved.me.language !== locale.language) chooseLanguage(saved.me.language)
  }
  return (
    <form class="card stack short" onSubmit={save} noValidate>
      <h2>{texts.about}</h2>
      <Changed
        theirs={edit.theirs}
        labels={{ name: texts.name, language: texts.language }}
        show={(field, value) => (field === 'language' ? languageName(value as Language) : null)}
        onDrop={edit.drop}
      />
      <TextField
        label={texts.name}
        value={draft.name}
        autocomplete="name"
        onInput={name => edit.change({ name, language })}
        error={edit.errorAt('name')}
      />
      <SelectField
        label={texts.language}
        hint={texts.languageHint}
        value={language}
        options={languages.map((one: Language) => ({ value: one, label: languageName(one) }))}
        onChange={next => {
          setPicked(next)
          edit.change({ language: next })
        }}
      />
      <div class="row">
        <Button kind="main" type="submit" busy={edit.busy}>
          {common.save}
        </Button>
      </div>
    </form>
  )
}

function Password({ hasPassword, onSet }: { hasPassword: boolean; onSet: () => void }) {
  const [password, setPassword] = useState('')
  const [current, setCurrent] = useState('')
  const { busy, run, errorAt } = useSending()
  const save = async (event: Event) => {
    event.preventDefault()
    const isSaved = await run(async () => {
      await api.put('/session/password', { password, current: current || null })
      return true
    })
    if (!isSaved) return
    setPassword('')
    setCurrent('')
    onSet()
    say(texts.passwordSet)
  }
  return (
    <form class="card stack short" onSubmit={save} noValidate>
      <h2>{texts.password}</h2>
      <p class="soft">{hasPassword ? texts.hasPassword : texts.passwordText}</p>
      {hasPassword && (
        <TextField
          label={texts.current}
          hint={texts.currentHint}
          type="password"
          autocomplete="current-password"
          value={current}
          onInput={setCurrent}
          error={errorAt('current')}
        />
      )}
      <TextField
        label={texts.newPassword}
        hint={texts.passwordHint}
        type="password"
        autocomplete="new-password"
        value={password}
        onInput={setPassword}
        error={errorAt('password')}
      />
      <div class="row">
        <Button type="submit" busy={busy}>
          {texts.setPassword}
        </Button>
      </div>
    </form>
  )
}

function Sessions() {
  const loaded = useLoad('my-sessions', signal => api.get('/sessions', { signal }))
  const { busy, run } = useSending()
  const end = async (path: '/sessions' | `/sessions/${string}`) => {
    await run(async () => {
      await api.remove(path)
      say(texts.ended)
    })
    await loaded.reload()
  }
  const sessions = loaded.data?.sessions
  return (
    <section class="stack" aria-labelledby="sessions">
      <h2 id="sessions">{texts.sessions}</h2>
      {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {loaded.isLoading && <Skeleton rows={2} />}
      <ul class="lines">
        {sessions?.map(one => (
          <li key={one.uuid}>
            <span>
              {programOf(one.agent)} · {texts.ways[one.way]}
              <br />
              <span class="soft">
                {texts.since} {moment(one.createdAt)} · {texts.seen} {moment(one.seenAt)}
              </span>
            </span>
            {one.isThis ? (
              <Chip tone="good">{texts.thisOne}</Chip>
            ) : (
              <Button busy={busy} onClick={() => end(`/sessions/${one.uuid}`)}>
                {texts.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions && sessions.length > 1 && (
        <div class="row">
          <Button onClick={() => end('/sessions')}>{texts.endOthers}</Button>
        </div>
      )}
    </section>
  )
}

/** `Firefox, Android`: enough to know one's own. */
function programOf(agent: string | null): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(agent ?? '')?.[1]
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(agent ?? '')?.[1]
  const named = browser && ({ Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser)
  return [named, system].filter(Boolean).join(', ') || agent?.slice(0, 60) || texts.unknown
}
