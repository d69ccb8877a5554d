import type { VNode } from 'preact'
import { confirmation, elsewhere, type Fact, whatLines, whenLines, whereLines } from '#shared/confirmation.ts'
import type { Booked } from '../../state.ts'
import type { Ui } from '../context.ts'
import { Correct } from './Correct.tsx'
import { draw } from './draw.ts'
import { Hints } from './Hints.tsx'
import {
  chosenProduct,
  isTooLate,
  MoveLink,
  onEscape,
  Problem,
  useFocus,
  useReturn,
  useState,
  useStepFocus,
  useUi,
} from './kit.ts'

export function Done() {
  const ui = useUi()
  const { state, texts } = ui
  const booked = state.booked!
  const { status } = booked
  const heading = useStepFocus<HTMLHeadingElement>(status)
  const isOver = status === 'cancelled'
  const hint = {
    confirmed: texts.confirmedHint(booked.email),
    requested: texts.requestedHint(booked.email),
    cancelled: (booked.isWithdrawn && state.moving?.stays) || texts.cancelledHint,
  }[status]
  const contact = state.kept
    ? !booked.all && <a href={booked.page}>{state.kept}</a>
    : !booked.settled && <Correct />
  return (
    <div class={`main done ${status}`} part={`done ${status}`}>
      {confirmation(draw, {
        status,
        heading: (
          <h3 ref={heading} tabIndex={-1}>
            {booked.isWithdrawn ? texts.withdrawn : texts[status]}
          </h3>
        ),
        hint,
        email: booked.email,
        contact: [!isOver && contact, <Problem />],
        facts: factsOf(ui),
        notes: !isOver && <Hints />,
        calendar: status === 'confirmed' &&
          !booked.all && { title: texts.addToCalendar, level: 'h4', page: booked.page },
        actions: isOver ? <Again /> : <Cancel booked={booked} />,
      })}
    </div>
  )
}

function factsOf({ state, texts, format }: Ui): Fact<VNode>[] {
  const { moving, zone, booked } = state
  const { status, product, resource, provider, start, end, before, place, who, all } = booked!
  const span = `${format.time(start, zone)} – ${format.time(end, zone)}`
  return [
    [texts.what, whatLines(draw, product, resource, provider)],
    [
      texts.when,
      [
        whenLines(draw, [format.fullDay(start, zone), span], format.zone(zone, start)),
        all?.map(one => (
          <a class="line" href={one.confirmationLink} {...elsewhere}>
            {format.when(Date.parse(one.start), zone)}
          </a>
        )),
      ],
    ],
    [
      moving?.[status === 'confirmed' ? 'before' : 'name'] ?? '',
      moving && before && format.when(before, zone),
    ],
    [texts.where, whereLines(draw, place, texts)],
    [texts.with, who !== provider && who],
    [texts.price, !moving && chosenProduct(state)?.priceText],
  ]
}

function Again() {
  const { state, texts, flow, move } = useUi()
  // A cancelled booking cannot be moved.
  const { moving, booked } = state
  const isKept = moving && booked!.isWithdrawn && !moving.isRequest
  return (
    <button type="button" class="quiet" onClick={() => (moving && !isKept ? move(null) : flow.again())}>
      {isKept ? moving.other : texts.bookAnother}
    </button>
  )
}

/** A real link that also works on its own; here it is handled in place, after a confirmation. */
function Cancel({ booked }: { booked: Booked }) {
  const { state, texts, flow } = useUi()
  const [asking, setAsking] = useState(false)
  const question = useFocus<HTMLParagraphElement>(asking)
  const opener = useReturn<HTMLAnchorElement>(asking)
  const isRequest = booked.status === 'requested'
  // A request can be withdrawn until it starts. The dates of a series have pages of their own.
  const isLate = booked.all || (!isRequest && isTooLate(state, booked, flow.now()))
  // A failed cancellation must not be retried after all.
  const keep = () => {
    flow.forget()
    setAsking(false)
  }
  const ask = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    setAsking(true)
  }
  if (!asking)
    return (
      <p class="links">
        {!state.moving && !isLate && <MoveLink />}
        {!isLate && (
          <a class="quiet" href={booked.cancelLink} part="cancel-link" ref={opener} onClick={ask}>
            {isRequest ? texts.withdraw : texts.cancelBooking}
          </a>
        )}
        <button type="button" class="link" onClick={flow.again}>
          {state.moving?.other ?? texts.bookAnother}
        </button>
      </p>
    )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in the question, wherever its focus is
    <div class="notice" part="notice" onKeyDown={onEscape(keep)}>
      <p ref={question} tabIndex={-1}>
        {isRequest ? texts.withdrawQuestion : texts.cancelQuestion}
      </p>
      <div class="row">
        <button
          type="button"
          class="quiet"
          aria-busy={state.busy === 'cancel'}
          onClick={() => void flow.cancel()}
        >
          {isRequest ? texts.withdrawYes : texts.cancelYes}
        </button>
        <button type="button" class="link" onClick={keep}>
          {isRequest ? texts.withdrawNo : texts.cancelNo}
        </button>
      </div>
    </div>
  )
}
