import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { LoginForm } from './LoginForm.tsx'
import { texts } from './words.ts'

export function Login({ onDone }: { onDone: () => Promise<boolean> }) {
  return (
    <main class="login">
      <div class="card stack">
        <p class="brand">Holdfast</p>
        <h1>{texts.title}</h1>
        <p class="soft">{texts.welcome}</p>
        <LoginForm onDone={onDone} />
      </div>
    </main>
  )
}

/** The session ended during work: the login opens on top and the page stays as it is. */
export function LoginAgain({ email, onDone }: { email: string; onDone: () => Promise<boolean> }) {
  return (
    <Dialog title={texts.logInAgain} onClose={() => void onDone()}>
      <p>{texts.sessionExpired}</p>
      <LoginForm email={email} onDone={onDone} />
    </Dialog>
  )
}
