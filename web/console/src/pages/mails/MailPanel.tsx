import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { shell } from '../../shell-words.ts'
import { moment } from '../../time.ts'
import { ButtonFor } from '../../ui/Button.tsx'
import { Chip, type Tone } from '../../ui/Chip.tsx'
import { Panel } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './words.ts'

type Whole = Schemas['Mail']
type Props = { uuid: string; onClose: () => void; onSent: () => void }

/** One email, as it was sent. */
export function MailPanel({ uuid, onClose, onSent }: Props) {
  const loaded = useLoad(`mail-${uuid}`, signal => api.get(`/mails/${uuid}`, { signal }))
  const { busy, run } = useSubmit()
  const mail = loaded.data
  const resend = () =>
    run(async () => {
      await api.post(`/mails/${uuid}/resend`)
      showToast(texts.resent)
      onSent()
      await loaded.reload()
    })
  return (
    <Panel title={mail?.subject ?? shell.mails} onClose={onClose}>
      <Pending of={loaded} />
      {mail && (
        <>
          <p class="wrap">
            {mail.to ?? texts.erased}
            <br />
            <span class="soft">{moment(mail.createdAt)}</span>
          </p>
          <div class="row">
            <MailState state={mail.state} />
            {mail.attempts > 0 && <span class="soft">{common.attempts(mail.attempts)}</span>}
            {mail.to && (
              <ButtonFor right="book" busy={busy} onClick={resend}>
                {common.sendAgain}
              </ButtonFor>
            )}
          </div>
          {mail.lastError && (
            <section class="stack">
              <h3>{texts.failureReason}</h3>
              <p class="trouble wrap">{mail.lastError}</p>
            </section>
          )}
          {mail.html ? <Parts mail={mail} /> : <p class="soft">{texts.contentDeleted}</p>}
        </>
      )}
    </Panel>
  )
}

function Parts({ mail }: { mail: Whole }) {
  return (
    <>
      <h3>{common.preview}</h3>
      {/* The content is not trusted: no scripts, and no access to the console. */}
      <iframe
        class="frame"
        title={common.preview}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        src={`/console/mail-view/${mail.uuid}`}
      />
      <details>
        <summary>{texts.plainText}</summary>
        <pre class="said">{mail.text}</pre>
      </details>
      {mail.ics && (
        <details>
          <summary>{texts.ics}</summary>
          <pre class="said">{mail.ics.content}</pre>
        </details>
      )}
    </>
  )
}

export type Mail = Schemas['MailSummary']

const tones: Record<Mail['state'], Tone> = { queued: 'wait', sent: 'good', failed: 'bad', kept: 'off' }

export const MailState = ({ state }: { state: Mail['state'] }) => (
  <Chip tone={tones[state]}>{texts.states[state]!}</Chip>
)
