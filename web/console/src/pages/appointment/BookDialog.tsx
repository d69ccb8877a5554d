import { useState } from 'preact/hooks'
import { addDays } from '#shared/dates.ts'
import { instantOf } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { type CalendarProduct, type CalendarResource, offers } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { typedAhead } from '../../shortcuts.ts'
import { format } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { CustomerPicker } from '../../ui/customer/CustomerPicker.tsx'
import { isEntered, type Picked, useCustomerChoice } from '../../ui/customer/customer-choice.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { useConflictWarnings } from '../../ui/editing/use-conflict-warnings.ts'
import { SelectField, TextField } from '../../ui/fields/Field.tsx'
import { NotifyFields, useNotification } from '../../ui/fields/NotifyFields.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { Found } from '../customers/records.ts'
import { bookAppointment, showBooked } from './book-appointment.ts'
import { doubleBooking, useDayData } from './day-data.ts'
import { FreeTimes } from './FreeTimes.tsx'
import { spanOf, type When, whenOf } from './form-times.ts'
import { freeAt, type Span } from './free-times.ts'
import { NextFree } from './NextFree.tsx'
import { seriesWarnings } from './series/date-choices.ts'
import { RepeatFields } from './series/RepeatFields.tsx'
import { SeriesPlan } from './series/SeriesPlan.tsx'
import { useSeries } from './series/use-series.ts'
import { texts as seriesTexts } from './series/words.ts'
import { useWarnings, Warnings, WhenFields } from './WhenFields.tsx'
import { WishToggle } from './WishSearch.tsx'
import { texts } from './words.ts'

type Props = {
  /** Without an end it lasts as long as the Product; without a Resource the first free one is used. */
  start: When
  /** Set if the customer is already known. */
  customer?: Found
  /** What was entered elsewhere before. */
  picked?: Picked | undefined
  /** Chosen at first, if the Resource offers it. */
  productUuid?: string
  title?: string
  resources: CalendarResource[]
  products: CalendarProduct[]
  onDone: () => void
  onClose: () => void
}

/** Books for a customer at the desk or on the phone. */
export function BookDialog(props: Props) {
  const { start, customer, productUuid = '', resources, products, onDone, onClose } = props
  const { uuid, timeZone: zone } = useProvider()
  const [wanted, setProduct] = useState(productUuid)
  const [when, setWhen] = useState(() =>
    start.to ? start : lasting(start, productsOf(resources, products, start.resourceUuid)[0]),
  )
  // The time that was entered by hand. Picking a suggested time must not change the suggestions.
  const [asked, ask] = useState(start)
  const [typed] = useState(typedAhead)
  const choice = useCustomerChoice(
    uuid,
    customer ? { kind: 'known', customer } : (props.picked ?? { kind: 'typing', text: typed }),
  )
  const [notes, setNotes] = useState('')
  const [notification, setNotification] = useNotification()
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
  const known = [
    ...useWarnings(day.data, { ...when, resourceUuid: place.uuid }, zone, {
      productUuid: product?.uuid ?? null,
      canJoin: choice.isChosen,
    }),
    ...doubleBooking(day.data, choice.picked, span, zone),
  ]
  const series = useSeries({
    providerUuid: uuid,
    productUuid: product?.uuid ?? null,
    resourceUuid: when.resourceUuid,
    customerUuid: choice.picked.kind === 'known' ? choice.picked.customer.uuid : null,
    span,
    zone,
  })
  const isSeries = series.repeat !== null
  const { busy, run, errorAt, warnings, forget } = useConflictWarnings(isSeries ? [] : known, () =>
    isSeries ? seriesTexts.sinceTaken : texts.timeNotFree,
  )
  const canNotify = choice.canBeTold

  const choose = (span: Span) => {
    forget()
    setWhen(whenOf(when.resourceUuid, span.start, span.end, zone))
  }
  const set = (next: When) => {
    forget()
    setWhen(next)
    ask(next)
  }

  async function book(event: SubmitEvent) {
    event.preventDefault()
    if (!span || !product || busy) return
    const who = await choice.settle()
    if (!who) return
    const sendMails = canNotify && notification.sendMails
    if (isSeries) return bookSeries(who, sendMails)
    const entry = await run(ignoreConflicts =>
      bookAppointment(uuid, {
        resourceUuid: place.uuid,
        productUuid: product.uuid,
        span,
        notes: notes || null,
        message: notification.message,
        ...who,
        ignoreConflicts,
        sendMails,
      }),
    )
    if (entry) showBooked(entry, zone, sendMails, onDone)
  }

  async function bookSeries(who: NonNullable<Awaited<ReturnType<typeof choice.settle>>>, sendMails: boolean) {
    const dates = series.choices.chosen.filter(one => one !== null)
    const made = await run(() =>
      api.post(
        `/providers/${uuid}/series`,
        {
          productUuid: product!.uuid,
          dates,
          notes: notes || null,
          message: (sendMails && notification.message) || null,
          ...who,
        },
        { query: { sendMails } },
      ),
    )
    // A date was taken in the meantime: the new preview names it.
    if (!made) return void series.plan.reload()
    const undo = () => api.remove(`/providers/${uuid}/series/${made.seriesId}`).then(onDone)
    showToast(seriesTexts.booked(dates.length, made.name ?? ''), sendMails ? {} : { undo })
    onDone()
  }

  return (
    <Dialog
      title={props.title ?? texts.bookTitle}
      isWide
      isEntered={isEntered(props.picked)}
      onClose={onClose}
    >
      <form class="stack" onSubmit={book}>
        <div class="book-columns">
          <div class="stack">
            <CustomerPicker choice={choice} errorAt={errorAt} isOptional />
            <SelectField
              label={common.product}
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
          </div>
          <div class="stack book-times">
            {product && !isSeries && (isAnywhere || warnings.length > 0) && (
              <NextFree
                product={product}
                day={asked.day}
                resourceUuid={when.resourceUuid}
                chosen={span?.start ?? null}
                onPick={choose}
              />
            )}
            {product && !isSeries && (
              <FreeTimes
                resourceUuid={when.resourceUuid}
                productUuid={product.uuid}
                day={when.day}
                around={instantOf(`${when.day}T${asked.from || start.from}`, zone)}
                chosen={span?.start ?? null}
                onDay={step => set({ ...when, day: addDays(when.day, step) })}
                onPick={choose}
              />
            )}
            {isSeries && product && (
              <SeriesPlan
                series={series}
                zone={zone}
                showPlace={when.resourceUuid === ''}
                firstDay={when.day}
                search={{
                  productUuid: product.uuid,
                  resources: resources.filter(one => offers(one, product)),
                }}
              />
            )}
            {product && (
              <WishToggle
                key={product.uuid}
                productUuid={product.uuid}
                resources={resources.filter(one => offers(one, product))}
                resourceUuid={when.resourceUuid}
                day={asked.day || start.day}
                duration={product.minDuration}
                chosen={span && { start: span.start, resourceUuid: when.resourceUuid }}
                onPick={time => set(whenOf(time.resourceUuid, time.start, time.end, zone))}
              />
            )}
          </div>
          <div class="stack">
            <WhenFields
              when={when}
              resources={
                isAnywhere
                  ? [{ uuid: '', name: texts.firstAvailable((free ?? place).name) }, ...resources]
                  : resources
              }
              errorAt={errorAt}
              onChange={set}
            />
            <RepeatFields
              repeat={series.repeat}
              weekday={new Date(`${when.day || start.day}T12:00Z`).getUTCDay() || 7}
              firstDay={when.day}
              onChange={next => {
                forget()
                series.setRepeat(next)
              }}
            />
            <TextField label={texts.notes} rows={2} value={notes} onInput={setNotes} />
            {canNotify && <NotifyFields notification={notification} onChange={setNotification} />}
          </div>
        </div>
        <div class="dialog-end">
          <Warnings list={isSeries ? [...seriesWarnings(series.choices), ...warnings] : warnings} />
          {span && !isSeries && (
            <p class="in-words">
              {format.shortDay(when.day)},{' '}
              <span class="nowrap">
                {format.time(span.start, zone)} – {format.time(span.end, zone)}
              </span>
              <br />
              <span class="soft">{place.name}</span>
            </p>
          )}
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            kind="main"
            type="submit"
            busy={busy}
            disabled={!product || !(isSeries ? isReady(series) : true)}
          >
            {isSeries
              ? seriesTexts.book(series.choices.count)
              : warnings.length > 0
                ? common.doAnyway
                : common.book}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const isReady = ({ plan, choices }: ReturnType<typeof useSeries>) =>
  plan.data !== null && choices.unresolved === 0 && choices.count > 0

/** Products of this Resource, or all if no Resource is chosen. */
export function productsOf(resources: CalendarResource[], products: CalendarProduct[], resourceUuid: string) {
  const resource = resources.find(one => one.uuid === resourceUuid)
  return resource ? products.filter(one => offers(resource, one)) : products
}

/** Sets the end to the Product's minimum duration. */
export function lasting(when: When, product: CalendarProduct | undefined): When {
  const minutes = product?.minDuration ?? (when.to ? null : 30)
  if (!minutes || !when.from) return when
  const end = (Number(when.from.slice(0, 2)) * 60 + Number(when.from.slice(3)) + minutes) % 1440
  const two = (value: number) => String(value).padStart(2, '0')
  return { ...when, to: `${two(Math.floor(end / 60))}:${two(end % 60)}` }
}
