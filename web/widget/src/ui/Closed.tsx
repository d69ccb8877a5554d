import { shownPlace } from '../state.ts'
import { closedNow } from '../why-closed.ts'
import { useUi } from './context.ts'

const sentences = {
  hidden: 'bookingClosed',
  archived: 'archived',
  unknown: 'notFound',
  nothing: 'noTimes',
  late: 'tooLate',
} as const

/** Nothing can be booked: shows why, and whom to contact. */
export function Closed() {
  const { state, texts, format, flow } = useUi()
  const place = shownPlace(state)
  const closed = state.closed ?? 'unknown'
  const why = closed === 'nothing' ? closedNow(state, flow.now(), texts, format) : null
  return (
    <div class="closed" part="closed">
      {place && (
        <p class="soft" part="provider">
          {place.provider.name}
        </p>
      )}
      {place && <h2 class="name">{place.resource.name}</h2>}
      <p role="status">{why ?? texts[sentences[closed]]}</p>
      {closed === 'nothing' && !why && <p class="soft">{texts.noTimesHint}</p>}
      {place && closed !== 'unknown' && <Contact />}
      {closed !== 'unknown' && closed !== 'late' && (
        <p>
          <button type="button" class="quiet" onClick={() => void flow.start(null)}>
            {texts.tryAgain}
          </button>
        </p>
      )}
    </div>
  )
}

export function Contact() {
  const { state, texts } = useUi()
  const { contact, provider } = shownPlace(state)!
  const { name, email, phone, mobile } = contact
  const number = phone ?? mobile ?? provider.phone
  if (!email && !number) return null
  return (
    <p>
      {texts.contact}
      {texts.colon} {name}
      {email && (
        <>
          ,{' '}
          <span class="whole">
            <a href={`mailto:${email}`}>{email}</a>
            {/* A line must not begin with it. */}
            {number && ','}
          </span>
        </>
      )}
      {number && (
        <>
          {!email && ','} <a href={`tel:${number.replace(/[^+\d]/g, '')}`}>{number}</a>
        </>
      )}
    </p>
  )
}
