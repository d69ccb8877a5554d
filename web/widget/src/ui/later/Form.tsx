import { dateLine } from '#shared/confirmation.ts'
import { Countdown } from './Countdown.tsx'
import { draw } from './draw.ts'
import { Field } from './Field.tsx'
import { Hints } from './Hints.tsx'
import {
  asksForRequest,
  fieldNames,
  Lost,
  Problem,
  SoFar,
  shownPlace,
  useEffect,
  useRef,
  useStepFocus,
  useUi,
} from './kit.ts'
import { Trust } from './Trust.tsx'

export function Form() {
  const { state, texts, flow } = useUi()
  const heading = useStepFocus<HTMLHeadingElement>(state.holds)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => flow.ask(form.current!), [])
  const { errors, busy, notice } = state
  // To the first invalid field, whether the widget or the service rejected it.
  useEffect(() => {
    const wrong = fieldNames.find(name => errors[name])
    const name = wrong ?? (state.mustAgree && 'agreed')
    if (name) form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
  }, [state.attempt])
  const isRequest = asksForRequest(state)
  const { phoneField, askMessage } = shownPlace(state)!.channel
  const onSubmit = (event: Event) => {
    event.preventDefault()
    void flow.submit()
  }
  const waiting = isRequest ? texts.requesting : texts.booking
  return (
    <form class="main form" part="form" noValidate onSubmit={onSubmit} ref={form}>
      <div class="top">
        <button type="button" class="link back" onClick={flow.back}>
          {texts.back}
        </button>
        {/* Announced when the form opens: what to enter, and how long the time is held. */}
        <h3 ref={heading} tabIndex={-1} aria-describedby="held">
          {texts.yourDetails}
        </h3>
      </div>
      <SoFar />
      <Chosen />
      <Hints />
      {notice?.kind === 'lost' && <Lost />}
      <Problem />
      {!state.moving && (
        <div class="fields">
          <Field name="firstname" autocomplete="given-name" />
          <Field name="lastname" autocomplete="family-name" />
          <Field name="email" type="email" autocomplete="email" inputMode="email" />
          {phoneField !== 'HIDDEN' && <Field name="mobile" type="tel" autocomplete="tel" inputMode="tel" />}
          {askMessage && <Field name="message" autocomplete="off" />}
        </div>
      )}
      {isRequest && <p class="hint">{texts.needsConfirmation(shownPlace(state)!.provider.name)}</p>}
      {!state.moving && <Trust />}
      <button
        type="submit"
        class="main-button"
        part="submit"
        disabled={notice?.kind === 'lost'}
        aria-busy={busy === 'book'}
      >
        {busy === 'book' ? waiting : isRequest ? texts.request : texts.book}
      </button>
    </form>
  )
}

/** What is being booked, and how long it is held. */
function Chosen() {
  const { state, texts, format, flow } = useUi()
  const slot = state.slot
  if (!slot || state.notice?.kind === 'lost') return null
  return (
    <div class="chosen" part="chosen">
      <p>
        <strong>
          {dateLine(draw, format.fullDay(slot.start, state.zone))}
          <br />
          <bdi>
            {format.time(slot.start, state.zone)} – {format.time(slot.end, state.zone)}
          </bdi>
        </strong>{' '}
        <span class="soft whole">{format.zone(state.zone, slot.start)}</span>
      </p>
      {state.notice?.kind === 'held-again' && <p class="hint">{texts.holdRenewed}</p>}
      {state.notice?.kind === 'expired' ? (
        <p class="hint">
          {texts.holdExpired}{' '}
          <button type="button" class="link" onClick={() => void flow.holdAgain()}>
            {texts.tryAgain}
          </button>
        </p>
      ) : (
        <Countdown />
      )}
    </div>
  )
}
