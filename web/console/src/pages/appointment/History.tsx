import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { HistoryLine, MailLine } from '../../records.ts'
import { useMay } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { format, instant } from '../../time.ts'
import { ButtonFor } from '../../ui/Button.tsx'
import { Chip, type Tone } from '../../ui/Chip.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { showToast } from '../../ui/toasts.tsx'
import { eventTexts, mailNames, texts } from './words.ts'

export function HistoryList({ lines, zone }: { lines: HistoryLine[]; zone: string }) {
  return (
    // A high screen has room for it.
    <details open={innerHeight >= 1000}>
      <summary>{texts.history}</summary>
      <ol class="lines">
        {lines.map(line => (
          <li key={`${line.at} ${line.kind} ${line.person}`}>
            <span>
              {eventTexts[line.kind] ?? line.kind}
              {line.person && `: ${line.person}`}
            </span>
            <span class="soft">
              {actorOf(line)} · <time dateTime={line.at}>{format.when(instant(line.at), zone)}</time>
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}

function actorOf({ actorKind, actorName }: HistoryLine): string {
  if (actorKind === 'consumer') return texts.byConsumer
  if (actorKind === 'service') return texts.byService
  if (actorKind === 'agent') return texts.byAgent
  return actorKind === 'key' ? texts.byKey : (actorName ?? '–')
}

const tones: Record<MailLine['state'], Tone> = { queued: 'wait', sent: 'good', failed: 'bad', kept: 'plain' }

export function MailList({ mails, zone, onDone }: { mails: MailLine[]; zone: string; onDone: () => void }) {
  const { busy, run } = useSubmit()
  const mayResend = useMay('mails')
  const again = async (uuid: string) => {
    if (!(await run(() => api.post(`/mails/${uuid}/resend`)))) return
    showToast(texts.sentAgain)
    onDone()
  }
  return (
    <details>
      <summary>
        {shell.mails} ({mails.length})
      </summary>
      {mails.length === 0 && <p class="soft">{texts.noMails}</p>}
      <ul class="lines">
        {mails.map(mail => (
          <li key={mail.uuid}>
            <span>
              {mailNames[mail.kind] ?? mail.kind}
              <br />
              <span class="soft">
                {mail.to} · {format.when(instant(mail.sentAt ?? mail.createdAt), zone)}
              </span>
              {mail.lastError && <span class="error"> {mail.lastError}</span>}
            </span>
            <span class="row">
              <Chip tone={tones[mail.state]}>{texts[mail.state]}</Chip>
              {mayResend && mail.to && (
                <ButtonFor right="book" kind="quiet" busy={busy} onClick={() => again(mail.uuid)}>
                  {common.sendAgain}
                </ButtonFor>
              )}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
