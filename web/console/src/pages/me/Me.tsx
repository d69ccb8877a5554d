import { useState } from 'preact/hooks'
import { type Language, languages } from '#shared/texts/index.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useSession } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { moment } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { ConflictNotice } from '../../ui/editing/ConflictNotice.tsx'
import { useUnsaved } from '../../ui/editing/unsaved.ts'
import { useEditOf } from '../../ui/editing/use-edit.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { SelectField, TextField } from '../../ui/fields/Field.tsx'
import { Page, Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { chooseLanguage, languageName, locale } from '../../words.ts'
import { SecondFactor } from './SecondFactor.tsx'
import { texts } from './words.ts'

/** The user's own login: name, language, password, second factor and sessions. */
export default function Me() {
  const { me } = useSession()
  const [hasPassword, setHasPassword] = useState(me.hasPassword)
  return (
    <Page title={shell.me}>
      <p class="soft">{me.email}</p>
      <Details hasPassword={hasPassword} onPassword={() => setHasPassword(true)} />
      <SecondFactor isOn={me.hasTotp} hasPassword={hasPassword} />
      <Sessions />
    </Page>
  )
}

/** One button saves all of it: a new language loads the page again, which would lose a password that was typed. */
function Details({ hasPassword, onPassword }: { hasPassword: boolean; onPassword: () => void }) {
  const { reload } = useSession()
  const edit = useMyLogin()
  const password = usePassword(onPassword)
  if (edit.loading.problem || !edit.draft) return <Pending of={edit.loading} rows={3} />
  const save = async (event: Event) => {
    event.preventDefault()
    // Saving only a password must not switch to the stored language: the console may use the browser's.
    const isEdited = edit.isChanged
    const saved = await edit.save()
    if (!saved) return
    if (password.isTyped) {
      if (!(await password.save())) return
      // The password is part of the record: the next save must not take it for a change made elsewhere.
      await edit.read()
    }
    showToast(common.saved, { about: texts.profile })
    await reload()
    if (isEdited && saved.me.language !== locale.language) chooseLanguage(saved.me.language)
  }
  return (
    <form class="card stack short" onSubmit={save} noValidate>
      <About edit={edit} />
      <PasswordFields hasPassword={hasPassword} password={password} />
      <div class="row">
        <Button kind="main" type="submit" busy={edit.busy || password.busy}>
          {common.save}
        </Button>
      </div>
    </form>
  )
}

const useMyLogin = () => useEditOf('/session', session => session.me)

function About({ edit }: { edit: ReturnType<typeof useMyLogin> }) {
  const [picked, setPicked] = useState<Language | null>(null)
  // The console may use the browser's language until a language is saved.
  const language = picked ?? locale.language
  return (
    <>
      <h2>{texts.profile}</h2>
      <ConflictNotice
        theirs={edit.theirs}
        labels={{ name: common.name, language: common.language }}
        show={(field, value) => (field === 'language' ? languageName(value as Language) : null)}
        onDrop={edit.drop}
      />
      <TextField
        label={common.name}
        value={edit.draft!.name}
        autocomplete="name"
        onInput={name => edit.change({ name, language })}
        error={edit.errorAt('name')}
      />
      <SelectField
        label={common.language}
        hint={texts.languageHint}
        value={language}
        options={languages.map((one: Language) => ({ value: one, label: languageName(one) }))}
        onChange={next => {
          setPicked(next)
          edit.change({ language: next })
        }}
      />
    </>
  )
}

function usePassword(onSaved: () => void) {
  const [password, setPassword] = useState('')
  const [current, setCurrent] = useState('')
  const { busy, run, errorAt } = useSubmit()
  const isTyped = password !== '' || current !== ''
  const settle = useUnsaved(isTyped)
  async function save() {
    const isSaved = await run(async () => {
      await api.put('/session/password', { password, current: current || null })
      return true
    })
    if (!isSaved) return false
    setPassword('')
    setCurrent('')
    settle()
    onSaved()
    return true
  }
  return { password, setPassword, current, setCurrent, isTyped, save, busy, errorAt }
}

type PasswordProps = { hasPassword: boolean; password: ReturnType<typeof usePassword> }

function PasswordFields({ hasPassword, password }: PasswordProps) {
  return (
    <>
      <h2>{common.password}</h2>
      <p class="soft">{hasPassword ? texts.passwordChangeText : texts.passwordText}</p>
      {hasPassword && (
        <TextField
          label={texts.current}
          hint={texts.currentHint}
          type="password"
          autocomplete="current-password"
          value={password.current}
          onInput={password.setCurrent}
          error={password.errorAt('current')}
        />
      )}
      <TextField
        label={texts.newPassword}
        hint={texts.passwordHint}
        type="password"
        autocomplete="new-password"
        value={password.password}
        onInput={password.setPassword}
        error={password.errorAt('password')}
      />
    </>
  )
}

function Sessions() {
  const loaded = useLoad('my-sessions', signal => api.get('/sessions', { signal }))
  const { busy, run } = useSubmit()
  const end = async (path: '/sessions' | `/sessions/${string}`) => {
    await run(async () => {
      await api.remove(path)
      showToast(texts.sessionEnded)
    })
    await loaded.reload()
  }
  const sessions = loaded.data?.sessions
  return (
    <section class="stack" aria-labelledby="sessions">
      <h2 id="sessions">{texts.sessions}</h2>
      <Pending of={loaded} rows={2} />
      <ul class="lines">
        {sessions?.map(one => (
          <li key={one.uuid}>
            <span>
              {programOf(one.agent)} · {texts.loginMethods[one.way]}
              <br />
              <span class="soft">
                {texts.since} {moment(one.createdAt)} · {common.lastUsed} {moment(one.seenAt)}
              </span>
            </span>
            {one.isThis ? (
              <Chip tone="good">{texts.thisBrowser}</Chip>
            ) : (
              <Button busy={busy} onClick={() => end(`/sessions/${one.uuid}`)}>
                {texts.endSession}
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

/** `Firefox, Android`: enough to recognise one's own device. */
function programOf(agent: string | null): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(agent ?? '')?.[1]
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(agent ?? '')?.[1]
  const named = browser && ({ Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser)
  return [named, system].filter(Boolean).join(', ') || agent?.slice(0, 60) || texts.unknownBrowser
}
