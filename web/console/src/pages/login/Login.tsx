import { Page } from '../../ui/Page.tsx'
import { texts } from './words.ts'

export function Login(_: { onDone: () => Promise<void> }) {
  return (
    <main class="login">
      <Page title={texts.title}>
        <p>{texts.openLink}</p>
      </Page>
    </main>
  )
}
