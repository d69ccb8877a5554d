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
import { type Picked, useCustomerChoice } from '../../ui/customer/customer-choice.ts'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import type { Place } from '../../ui/dialogs/place-beside.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { lasting, productsOf } from '../appointment/BookDialog.tsx'
import { useExplanation } from '../appointment/day-data.ts'
import { spanOf, type When } from '../appointment/form-times.ts'
import { WhenFields } from '../appointment/WhenFields.tsx'
import { Takers } from '../waiting/Takers.tsx'
import { ExistingHere } from './ExistingHere.tsx'
import { QuickBook } from './QuickBook.tsx'
import { reasons, texts } from './words.ts'

type Props = { resources: CalendarResource[]; onDone: () => void; onClose: () => void }

const nameOf = (resources: CalendarResource[], uuid: string) =>
  resources.find(one => one.uuid === uuid)?.name ?? ''

type HereProps = Props & {
  when: When
  /** The end was chosen too: it does not follow from the service. */
  isExact: boolean
  at: Place
  data: CalendarPeriod
  onShift: (slot: OpenTime) => void
  onChoose: (kind: 'open' | 'why') => void
  /** The dialog with everything, with what was entered here. */
  onMore: (entered: { when: When; picked: Picked; productUuid: string }) => void
  onAffected: (entries: Entry[]) => void
}

/** Opens on empty time, beside it. Blocking happens at once: no email is sent, and it can be undone. */
export function HereDialog(props: HereProps) {
  const { when, isExact, at, data, resources, onChoose, onMore, onShift, onAffected, onDone, onClose } = props
  const { uuid, timeZone } = useProvider()
  const { busy, block } = useBlocking({ resources, onDone, onAffected })
  const choice = useCustomerChoice(uuid)
  const products = productsOf(resources, data.products, when.resourceUuid)
  const [wanted, setProduct] = useState('')
  const product = products.find(one => one.uuid === wanted) ?? products[0]
  const booking = isExact ? when : lasting({ ...when, to: '' }, product)
  return (
    <Dialog
      title={`${format.shortDay(when.day)}, ${booking.from} – ${booking.to} · ${nameOf(resources, when.resourceUuid)}`}
      at={at}
      onClose={onClose}
    >
      {product && (
        <QuickBook
          when={booking}
          data={data}
          choice={choice}
          products={products}
          productUuid={product.uuid}
          onProduct={setProduct}
          onMore={() => onMore({ when: booking, picked: choice.picked, productUuid: product.uuid })}
          onDone={onDone}
        />
      )}
      <div class="row here-more">
        <Button busy={busy} onClick={() => block(when, '')}>
          {texts.blockHere}
        </Button>
        <Button onClick={() => onChoose('open')}>{texts.makeAvailable}</Button>
        <Button kind="quiet" onClick={() => onChoose('why')}>
          {texts.whyNotAvailable}
        </Button>
      </div>
      <ExistingHere when={when} data={data} onShift={onShift} onDone={onDone} />
      <Takers resourceUuid={when.resourceUuid} span={spanOf(booking, timeZone)} onDone={onDone} />
    </Dialog>
  )
}

type Blocking = Pick<Props, 'resources' | 'onDone'> & { onAffected: (entries: Entry[]) => void }

function useBlocking({ resources, onDone, onAffected }: Blocking) {
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
    const about = `${nameOf(resources, when.resourceUuid)}, ${when.from} – ${when.to}`
    showToast(texts.isBlocked, { about, undo })
    onDone()
    if (made.appointments.some(one => isToCome(one))) onAffected(made.appointments)
  }
  return { busy, block, errorAt }
}

type BlockProps = Props & { start: When; onAffected: (entries: Entry[]) => void }

export function BlockDialog({ start, resources, onDone, onAffected, onClose }: BlockProps) {
  const [when, setWhen] = useState(start)
  const [reason, setReason] = useState('')
  const { busy, block, errorAt } = useBlocking({ resources, onDone, onAffected })
  return (
    <Dialog title={common.blockTime} onClose={onClose}>
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
          label={common.reason}
          hint={texts.reasonHint}
          maxLength={200}
          value={reason}
          onInput={setReason}
        />
        <DialogButtons onClose={onClose} action={common.blockTime} busy={busy} />
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
      <Pending of={loaded} />
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
