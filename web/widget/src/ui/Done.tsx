import { useState } from 'preact/hooks'
import type { Booked } from '../state.ts'
import { AddToCalendar } from './AddToCalendar.tsx'
import { Correct } from './Correct.tsx'
import { useFocus, useStepFocus, useUi } from './context.ts'
import { Fact } from './Fact.tsx'
import { Hints } from './Hints.tsx'
import { MoveLink } from './Moving.tsx'
import { Problem } from './Problem.tsx'

export function Done() {
  const { state, texts, format } = useUi()
  const booked = state.booked!
  const heading = useStepFocus<HTMLHeadingElement>(booked.status)
  const hint = {
    confirmed: texts.confirmedHint(booked.email),
    requested: texts.requestedHint(booked.email),
    cancelled: texts.cancelledHint,
  }[booked.status]
  return (
    <div class={`main done ${booked.status}`} part={`done ${booked.status}`}>
      <span class="badge" aria-hidden="true" />
      <h3 ref={heading} tabIndex={-1}>
        {texts[booked.status]}
      </h3>
      <p>
        <WithAddress text={hint} address={booked.email} />
      </p>
      {booked.status !== 'cancelled' && !booked.settled && <Correct />}
      <Problem />
      <dl class="facts">
        <Fact name={texts.what}>{[booked.product, booked.resource].filter(Boolean).join(', ')}</Fact>
        <Fact name={texts.when}>
          <strong>{format.fullDay(booked.start, state.zone)}</strong>
          <br />
          {format.time(booked.start, state.zone)} – {format.time(booked.end, state.zone)}
          <br />
          <span class="soft">{format.zone(state.zone, booked.start)}</span>
        </Fact>
        {booked.place && <Fact name={texts.where}>{booked.place}</Fact>}
        <Fact name={texts.who}>{booked.who}</Fact>
      </dl>
      {booked.status !== 'cancelled' && <Hints />}
      {booked.status === 'confirmed' && <AddToCalendar booked={booked} />}
      {booked.status === 'cancelled' ? <Again /> : <Cancel booked={booked} />}
    </div>
  )
}

/** The address and the stop behind it stay in one piece where they can: a hyphen is no place to end a line. */
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
  // What was cancelled cannot be moved any more.
  return (
    <button type="button" class="quiet" onClick={() => (state.moving ? move(null) : flow.again())}>
      {texts.bookAnother}
    </button>
  )
}

/** A real link that also works alone; here it is answered in place, after a question. */
function Cancel({ booked }: { booked: Booked }) {
  const { state, texts, flow } = useUi()
  const [asking, setAsking] = useState(false)
  const question = useFocus<HTMLParagraphElement>(asking)
  // What could not be sent must not be sent later, after all.
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
        {!state.moving && <MoveLink />}
        <a href={booked.cancelLink} part="cancel-link" onClick={ask}>
          {texts.cancelBooking}
        </a>
        <button type="button" class="link" onClick={flow.again}>
          {state.moving?.other ?? texts.bookAnother}
        </button>
      </p>
    )
  return (
    <div class="notice" part="notice">
      <p ref={question} tabIndex={-1}>
        {texts.cancelQuestion}
      </p>
      <div class="row">
        <button
          type="button"
          class="quiet"
          aria-busy={state.busy === 'cancel'}
          onClick={() => void flow.cancel()}
        >
          {texts.cancelYes}
        </button>
        <button type="button" class="link" onClick={keep}>
          {texts.cancelNo}
        </button>
      </div>
    </div>
  )
}
