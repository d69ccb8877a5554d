import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import {
  type CalendarPeriod,
  type CalendarResource,
  type Entry,
  isToCome,
  type OpenTime,
} from '../../records.ts'
import { useProvider } from '../../session.ts'
import { format, instant } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { useExplanation } from '../appointment/day-data.ts'
import { spanOf, type When } from '../appointment/form-times.ts'
import { WhenFields } from '../appointment/WhenFields.tsx'
import { Takers } from '../waiting/Takers.tsx'
import { ExistingHere } from './ExistingHere.tsx'
import { reasons, texts } from './words.ts'

type Props = { resources: CalendarResource[]; onDone: () => void; onClose: () => void }

const nameOf = (resources: CalendarResource[], uuid: string) =>
  resources.find(one => one.uuid === uuid)?.name ?? ''

type HereProps = Props & {
  when: When
  data: CalendarPeriod
  onShift: (slot: OpenTime) => void
  onChoose: (kind: 'book' | 'open' | 'why') => void
  onAffected: (entries: Entry[]) => void
}

/** Opens on empty time. Blocking happens at once: no email is sent, and it can be undone. */
export function HereDialog(props: HereProps) {
  const { when, data, resources, onChoose, onShift, onAffected, onDone, onClose } = props
  const { timeZone } = useProvider()
  const { busy, block } = useBlocking(onDone, onAffected)
  return (
    <Dialog
      title={`${format.shortDay(when.day)}, ${when.from} – ${when.to} · ${nameOf(resources, when.resourceUuid)}`}
      onClose={onClose}
    >
      <div class="stack">
        <Button kind="main" autofocus onClick={() => onChoose('book')}>
          {texts.bookHere}
        </Button>
        <Button busy={busy} onClick={() => block(when, '')}>
          {texts.blockHere}
        </Button>
        <Button onClick={() => onChoose('open')}>{texts.makeAvailable}</Button>
        <Button onClick={() => onChoose('why')}>{texts.whyNotAvailable}</Button>
        <ExistingHere when={when} data={data} onShift={onShift} onDone={onDone} />
        <Takers resourceUuid={when.resourceUuid} span={spanOf(when, timeZone)} onDone={onDone} />
      </div>
    </Dialog>
  )
}

function useBlocking(onDone: () => void, onAffected: (entries: Entry[]) => void) {
  const { timeZone: zone } = useProvider()
  const { busy, run, errorAt } = useSubmit()
  async function block(when: When, reason: string) {
    const span = spanOf(when, zone)
    if (!span) return
    const path = `/resources/${when.resourceUuid}/blocks` as const
    const body = {
      from: new Date(span.start).toISOString(),
      to: new Date(span.end).toISOString(),
      reason: reason || texts.blocked,
    }
    const made = await run(() => api.post(path, body))
    if (!made) return
    const undo = async () => {
      await api.remove(`${path}/${made.block.uuid}`)
      showToast(texts.unblocked)
      onDone()
    }
    showToast(texts.isBlocked, { undo })
    onDone()
    if (made.appointments.some(one => isToCome(one))) onAffected(made.appointments)
  }
  return { busy, block, errorAt }
}

type BlockProps = Props & { start: When; onAffected: (entries: Entry[]) => void }

export function BlockDialog({ start, resources, onDone, onAffected, onClose }: BlockProps) {
  const [when, setWhen] = useState(start)
  const [reason, setReason] = useState('')
  const { busy, block, errorAt } = useBlocking(onDone, onAffected)
  return (
    <Dialog title={texts.blockTitle} onClose={onClose}>
      <form
        class="stack"
        onSubmit={event => {
          event.preventDefault()
          void block(when, reason)
        }}
      >
        <WhenFields autofocus when={when} resources={resources} errorAt={errorAt} onChange={setWhen} />
        <p>
          <Button kind="quiet" onClick={() => setWhen({ ...when, from: '00:00', to: '00:00' })}>
            {texts.allDay}
          </Button>
        </p>
        <TextField
          label={texts.reason}
          hint={texts.reasonHint}
          maxLength={200}
          value={reason}
          onInput={setReason}
        />
        <div class="dialog-end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={busy}>
            {texts.block}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Every slot of the day with its reason, scrolled to the clicked one. */
export function WhyDialog({ when, resources, onClose }: Omit<Props, 'onDone'> & { when: When }) {
  const { timeZone: zone } = useProvider()
  const loaded = useExplanation(when.resourceUuid, when.day)
  const wanted = spanOf(when, zone)?.start ?? 0
  return (
    <Dialog title={texts.whyTitle} onClose={onClose}>
      <p>
        {nameOf(resources, when.resourceUuid)} · {format.day(when.day)}
      </p>
      {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {loaded.isLoading && <Skeleton />}
      {loaded.data?.lines.length === 0 && <p>{texts.noSlots}</p>}
      <ul class="lines">
        {loaded.data?.lines.map(line => {
          const isHere = instant(line.start) <= wanted && wanted < instant(line.end)
          return (
            <li key={line.start} class={isHere ? 'here' : ''} aria-current={isHere || undefined}>
              <time dateTime={line.start}>{format.time(instant(line.start), zone)}</time>
              <Chip tone={line.offered ? 'good' : 'off'}>
                {line.offeredUntil
                  ? texts.offeredUntil(format.when(instant(line.offeredUntil), zone))
                  : (reasons[line.reason] ?? line.reason)}
              </Chip>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
