import { shownPlace } from '../state.ts'
import { useUi } from './context.ts'

const sentences = {
  hidden: 'hidden',
  archived: 'archived',
  unknown: 'unknown',
  nothing: 'nothingFree',
  late: 'late',
} as const

/** Nothing can be booked: why, and whom to ask. */
export function Closed() {
  const { state, texts, flow } = useUi()
  const place = shownPlace(state)
  const closed = state.closed ?? 'unknown'
  return (
    <div class="closed" part="closed">
      {place && (
        <p class="soft" part="provider">
          {place.provider.name}
        </p>
      )}
      {place && <h2 class="name">{place.resource.name}</h2>}
      <p role="status">{texts[sentences[closed]]}</p>
      {closed === 'nothing' && <p class="soft">{texts.nothingFreeHint}</p>}
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
          , <a href={`mailto:${email}`}>{email}</a>
        </>
      )}
      {number && (
        <>
          , <a href={`tel:${number.replace(/[^+\d]/g, '')}`}>{number}</a>
        </>
      )}
    </p>
  )
}
