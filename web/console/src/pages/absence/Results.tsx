import { dayAt } from '#shared/zones.ts'
import { common } from '../../common-words.ts'
import { nameOf, peopleIn } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { format } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Numbers, whenOf } from './AbsenceLine.tsx'
import { type Choice, type Line, type Result, targetOf } from './choices.ts'
import { texts } from './words.ts'

export type Settled = { line: Line; choice: Choice; result: Result; sendMails: boolean }

type Props = { settled: Settled[]; onAgain: () => void; onClose: () => void }

/** What became of each appointment. */
export function Results({ settled, onAgain, onClose }: Props) {
  const { timeZone: zone } = useProvider()
  const hasRest = settled.some(isOpen)
  return (
    <Dialog title={texts.resultTitle} onClose={onClose}>
      <ul class="lines absence-results">
        {settled.map(one => (
          <li key={one.line.appointment.uuid} data-result={one.result.result}>
            <span>
              <span aria-hidden="true">{isOpen(one) ? '▲' : '✓'}</span>{' '}
              <strong>{nameOf(one.line.appointment)}</strong>{' '}
              <span class="soft">{whenOf(one.line, zone)}</span>
              <br />
              {resultText(one, zone)}
              {isUnaware(one) && <span class="soft"> · {texts.noEmail}</span>}
            </span>
            {(isOpen(one) || isUnaware(one)) && <Numbers entry={one.line.appointment} />}
          </li>
        ))}
      </ul>
      <div class="dialog-end">
        {hasRest && <Button onClick={onAgain}>{texts.planRest}</Button>}
        <Button kind="main" onClick={onClose}>
          {common.close}
        </Button>
      </div>
    </Dialog>
  )
}

/** Still with the person who is absent. */
const isOpen = ({ result: { result } }: Settled) => result === 'failed' || result === 'left'

/** Has to be called: not everyone has been sent an email. */
const isUnaware = ({ line, result, sendMails }: Settled) =>
  (result.result === 'moved' || result.result === 'cancelled') &&
  peopleIn(line.appointment).some(one => !sendMails || !one.email)

function resultText({ line, choice, result }: Settled, zone: string): string {
  if (result.result === 'failed') return texts.failed(texts.because[result.code ?? ''] ?? texts.otherReason)
  const target = targetOf(line, choice)
  if (result.result !== 'moved' || !target)
    return result.result === 'cancelled' ? texts.cancelled : texts.staysWith(line.appointment.resource.name)
  const day = format.shortDay(dayAt(target.start, zone))
  return texts.moved(`${target.resourceName} · ${day}, ${format.time(target.start, zone)}`)
}
