import { badgePaths } from '#shared/badge.ts'
import { mapLink } from '#shared/map-link.ts'
import type { Booked } from '../../state.ts'
import { AddToCalendar } from './AddToCalendar.tsx'
import { Correct } from './Correct.tsx'
import { Hints } from './Hints.tsx'
import {
  chosenProduct,
  Fact,
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
import { WholeDate } from './WholeDate.tsx'

export function Done() {
  const { state, texts, format } = useUi()
  const booked = state.booked!
  const heading = useStepFocus<HTMLHeadingElement>(booked.status)
  const price = chosenProduct(state)?.priceText
  const hint = {
    confirmed: texts.confirmedHint(booked.email),
    requested: texts.requestedHint(booked.email),
    cancelled: (booked.isWithdrawn && state.moving?.stays) || texts.cancelledHint,
  }[booked.status]
  return (
    <div class={`main done ${booked.status}`} part={`done ${booked.status}`}>
      <span class="badge">
        <svg aria-hidden="true" viewBox="0 0 24 24">
          <path d={badgePaths[booked.status]} pathLength={1} />
        </svg>
      </span>
      <h3 ref={heading} tabIndex={-1}>
        {booked.isWithdrawn ? texts.withdrawn : texts[booked.status]}
      </h3>
      <p>
        <WithAddress text={hint} address={booked.email} />
      </p>
      {booked.status !== 'cancelled' &&
        (state.kept ? !booked.all && <a href={booked.page}>{state.kept}</a> : !booked.settled && <Correct />)}
      <Problem />
      <dl class="facts">
        <Fact name={texts.what}>
          {[booked.product, booked.resource].filter(Boolean).join(', ')}
          <br />
          {booked.provider}
        </Fact>
        <Fact name={texts.when}>
          <strong>
            <WholeDate line={format.fullDay(booked.start, state.zone)} />
            <br />
            {format.time(booked.start, state.zone)} – {format.time(booked.end, state.zone)}
          </strong>
          <br />
          <span class="soft">{format.zone(state.zone, booked.start)}</span>
          {booked.all?.map(one => (
            <a class="line" href={one.confirmationLink} target="_blank" rel="noopener">
              {format.when(Date.parse(one.start), state.zone)}
            </a>
          ))}
        </Fact>
        {state.moving && booked.before && (
          <Fact name={booked.status === 'confirmed' ? state.moving.before : state.moving.name}>
            {format.when(booked.before, state.zone)}
          </Fact>
        )}
        {price && !state.moving && <Fact name={texts.price}>{price}</Fact>}
        {booked.place && (
          <Fact name={texts.where}>
            {booked.place}
            {/* A text may be a link to a call. */}
            {!booked.place.includes('://') && (
              <a class="line map" href={mapLink(booked.place)} target="_blank" rel="noopener noreferrer">
                {texts.showOnMap}
              </a>
            )}
          </Fact>
        )}
        {booked.who !== booked.provider && <Fact name={texts.with}>{booked.who}</Fact>}
      </dl>
      {booked.status !== 'cancelled' && <Hints />}
      {booked.status === 'confirmed' && !booked.all && <AddToCalendar booked={booked} />}
      {booked.status === 'cancelled' ? <Again /> : <Cancel booked={booked} />}
    </div>
  )
}

/** Keeps the address and the full stop on one line if possible: a line must not break at its hyphen. */
function WithAddress({ text, address }: { text: string; address: string }) {
  const at = address ? text.indexOf(address) : -1
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <span class="whole">{text.slice(at)}</span>
    </>
  )
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
