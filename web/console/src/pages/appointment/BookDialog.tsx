import { useState } from 'preact/hooks'
import { addDays } from '#shared/dates.ts'
import { instantOf } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { typedAhead } from '../../keys.ts'
import type { CalendarProduct, CalendarResource, Entry } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { CustomerPicker, canBeTold, type Picked, sentAs } from '../../ui/CustomerPicker.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { TellThem, useTelling } from '../../ui/TellThem.tsx'
import { say } from '../../ui/toasts.tsx'
import { useWarned } from '../../ui/use-warned.ts'
import type { Found } from '../customers/records.ts'
import { useDayData } from './day-data.ts'
import { FreeTimes } from './FreeTimes.tsx'
import { freeAt, lengthOf, offers } from './first-free.ts'
import { NextFree } from './NextFree.tsx'
import { spanOf, type When, whenOf } from './span.ts'
import { useWarnings, Warnings, WhenFields } from './When.tsx'
import { texts } from './words.ts'

type Props = {
  /** Without an end it lasts as long as the Product; without a Resource at the first that is free. */
  start: When
  /** Who it is for, where that is known already. */
  customer?: Found
  resources: CalendarResource[]
  products: CalendarProduct[]
  onDone: (entry: Entry) => void
  onClose: () => void
}

/** For whoever stands before the desk or is on the telephone. */
export function BookDialog({ start, customer, resources, products, onDone, onClose }: Props) {
  const { uuid, timeZone: zone } = useProvider()
  const [wanted, setProduct] = useState('')
  const [when, setWhen] = useState(() =>
    start.to ? start : lasting(start, productsOf(resources, products, start.resourceUuid)[0]),
  )
  const [picked, pick] = useState<Picked>(() =>
    customer ? { kind: 'known', customer } : { kind: 'typing', text: typedAhead() },
  )
  const [notes, setNotes] = useState('')
  const [telling, setTelling] = useTelling()
  const offered = productsOf(resources, products, when.resourceUuid)
  const product = offered.find(one => one.uuid === wanted) ?? offered[0]
  const day = useDayData(uuid, when.day)
  const span = spanOf(when, zone)
  const isAnywhere = start.resourceUuid === ''
  const free = product && span && day.data ? freeAt(day.data, product, span) : null
  const place =
    resources.find(one => one.uuid === when.resourceUuid) ??
    free ??
    resources.find(one => product && offers(one, product)) ??
    resources[0]!
  const known = useWarnings(day.data, { ...when, resourceUuid: place.uuid }, zone, product?.uuid ?? null)
  const { busy, run, errorAt, warnings, forget } = useWarned(known, () => texts.inTheWay)
  const isToTell = canBeTold(picked)

  const choose = (time: number) => {
    forget()
    const { day, from } = whenOf(when.resourceUuid, time, time, zone)
    setWhen(lasting({ ...when, day, from, to: '' }, product))
  }

  async function book(event: SubmitEvent) {
    event.preventDefault()
    if (!span || !product) return
    const sendMails = isToTell && telling.sendMails
    const entry = await run(ignoreConflicts =>
      api.post(
        `/providers/${uuid}/appointments`,
        {
          resourceUuid: place.uuid,
          productUuid: product.uuid,
          start: new Date(span.start).toISOString(),
          end: new Date(span.end).toISOString(),
          notes: notes || null,
          message: (sendMails && telling.message) || null,
          ...sentAs(picked),
        },
        { query: { ignoreConflicts, sendMails } },
      ),
    )
    if (!entry) return
    const undo = () => api.remove(`/appointments/${entry.uuid}`).then(() => onDone(entry))
    say(texts.booked, sendMails ? {} : { undo })
    onDone(entry)
  }

  return (
    <Dialog title={texts.bookTitle} onClose={onClose}>
      <form class="stack" onSubmit={book}>
        <CustomerPicker providerUuid={uuid} picked={picked} onPick={pick} errorAt={errorAt} />
        <SelectField
          label={texts.product}
          value={product?.uuid ?? ''}
          options={offered.map(one => ({ value: one.uuid, label: one.name }))}
          onChange={next => {
            setProduct(next)
            setWhen(
              lasting(
                when,
                offered.find(one => one.uuid === next),
              ),
            )
          }}
        />
        {product && (isAnywhere || warnings.length > 0) && (
          <NextFree
            product={product}
            length={lengthOf(product)}
            day={start.day}
            resourceUuid={when.resourceUuid}
            chosen={span?.start ?? null}
            onPick={choose}
          />
        )}
        {product && (
          <FreeTimes
            resourceUuid={place.uuid}
            productUuid={product.uuid}
            day={when.day}
            zone={zone}
            around={instantOf(`${when.day}T${start.from}`, zone)}
            chosen={span?.start ?? null}
            onDay={step => setWhen({ ...when, day: addDays(when.day, step) })}
            onPick={choose}
          />
        )}
        <WhenFields
          when={when}
          resources={
            isAnywhere ? [{ uuid: '', name: texts.firstFree((free ?? place).name) }, ...resources] : resources
          }
          errorAt={errorAt}
          onChange={next => {
            forget()
            setWhen(next)
          }}
        />
        <TextField label={texts.notes} rows={2} value={notes} onInput={setNotes} />
        {isToTell && <TellThem telling={telling} onChange={setTelling} />}
        <Warnings list={warnings} />
        <div class="dialog-end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={busy} disabled={!product}>
            {warnings.length > 0 ? common.doItAnyway : texts.book}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What can be had there; anywhere, if no Resource is named. */
function productsOf(resources: CalendarResource[], products: CalendarProduct[], resourceUuid: string) {
  const resource = resources.find(one => one.uuid === resourceUuid)
  return resource ? products.filter(one => offers(resource, one)) : products
}

/** As long as the Product is at the least. */
function lasting(when: When, product: CalendarProduct | undefined): When {
  const minutes = product?.minDuration ?? (when.to ? null : 30)
  if (!minutes || !when.from) return when
  const end = (Number(when.from.slice(0, 2)) * 60 + Number(when.from.slice(3)) + minutes) % 1440
  const two = (value: number) => String(value).padStart(2, '0')
  return { ...when, to: `${two(Math.floor(end / 60))}:${two(end % 60)}` }
}
