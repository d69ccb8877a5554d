import { common } from '../../common-words.ts'
import type { CalendarPeriod } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { CustomerPicker } from '../../ui/customer/CustomerPicker.tsx'
import type { CustomerChoice } from '../../ui/customer/customer-choice.ts'
import { useConflictWarnings } from '../../ui/editing/use-conflict-warnings.ts'
import { SelectField } from '../../ui/fields/Field.tsx'
import { NotifyFields, useNotification } from '../../ui/fields/NotifyFields.tsx'
import { withEllipsis } from '../../words.ts'
import { bookAppointment, showBooked } from '../appointment/book-appointment.ts'
import { doubleBooking } from '../appointment/day-data.ts'
import { spanOf, type When } from '../appointment/form-times.ts'
import { useWarnings, Warnings } from '../appointment/WhenFields.tsx'
import { texts as appointmentTexts } from '../appointment/words.ts'

type Props = {
  /** With the length of the Product. */
  when: When
  data: CalendarPeriod
  choice: CustomerChoice
  products: CalendarPeriod['products']
  productUuid: string
  onProduct: (uuid: string) => void
  /** Opens the dialog with everything, with what was entered here. */
  onMore: () => void
  onDone: () => void
}

/** A customer and a service at the time that was clicked. */
export function QuickBook({ when, data, choice, products, productUuid, onProduct, onMore, onDone }: Props) {
  const { uuid, timeZone: zone } = useProvider()
  const [notification, setNotification] = useNotification()
  const span = spanOf(when, zone)
  const known = [
    ...useWarnings(data, when, zone, { productUuid, canJoin: choice.isChosen }),
    ...doubleBooking(data, choice.picked, span, zone),
  ]
  const { busy, run, errorAt, warnings } = useConflictWarnings(known, () => appointmentTexts.timeNotFree)
  const sendMails = choice.canBeTold && notification.sendMails

  async function book(event: SubmitEvent) {
    event.preventDefault()
    if (!span || busy) return
    const who = await choice.settle({ isRequired: true })
    if (!who) return
    const { resourceUuid } = when
    const { message } = notification
    const entry = await run(ignoreConflicts =>
      bookAppointment(uuid, { resourceUuid, productUuid, span, message, ...who, ignoreConflicts, sendMails }),
    )
    if (entry) showBooked(entry, zone, sendMails, onDone)
  }
  return (
    <form class="stack" onSubmit={book}>
      <CustomerPicker choice={choice} errorAt={errorAt} />
      <SelectField
        label={common.product}
        value={productUuid}
        options={products.map(one => ({ value: one.uuid, label: one.name }))}
        onChange={onProduct}
      />
      <Warnings list={warnings} />
      {choice.canBeTold && <NotifyFields notification={notification} onChange={setNotification} />}
      <div class="row">
        <Button kind="main" type="submit" busy={busy}>
          {warnings.length > 0 ? common.doAnyway : common.book}
        </Button>
        <Button kind="quiet" onClick={onMore}>
          {withEllipsis(common.moreOptions)}
        </Button>
      </div>
    </form>
  )
}
