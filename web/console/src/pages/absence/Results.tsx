import { dayAt } from '#shared/zones.ts'
import { common } from '../../common-words.ts'
import { useProvider } from '../../session.ts'
import { format } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { nameOf } from '../appointment/names.ts'
import { whenOf } from './AbsenceLine.tsx'
import { type Choice, type Line, type Result, targetOf } from './choices.ts'
import { texts } from './words.ts'

export type Settled = { line: Line; choice: Choice; result: Result }

type Props = { settled: Settled[]; onAgain: () => void; onClose: () => void }

/** What became of each appointment. */
export function Results({ settled, onAgain, onClose }: Props) {
  const { timeZone: zone } = useProvider()
  const hasFailed = settled.some(one => one.result.result === 'failed')
  return (
    <Dialog title={texts.resultTitle} onClose={onClose}>
      <ul class="lines absence-results">
        {settled.map(one => (
          <li key={one.line.appointment.uuid} data-result={one.result.result}>
            <span>
              <span aria-hidden="true">{one.result.result === 'failed' ? '▲' : '✓'}</span>{' '}
              <strong>{nameOf(one.line.appointment)}</strong>{' '}
              <span class="soft">{whenOf(one.line, zone)}</span>
              <br />
              {resultText(one, zone)}
            </span>
          </li>
        ))}
      </ul>
      <div class="dialog-end">
        {hasFailed && <Button onClick={onAgain}>{texts.planRest}</Button>}
        <Button kind="main" onClick={onClose}>
          {common.close}
        </Button>
      </div>
    </Dialog>
  )
}

function resultText({ line, choice, result }: Settled, zone: string): string {
  if (result.result === 'failed') return texts.failed(texts.because[result.code ?? ''] ?? texts.otherReason)
  const target = targetOf(line, choice)
  if (result.result !== 'moved' || !target)
    return result.result === 'cancelled' ? texts.cancelled : texts.left
  const day = format.shortDay(dayAt(target.start, zone))
  return texts.moved(`${target.resourceName} · ${day}, ${format.time(target.start, zone)}`)
}
