import { duration } from '#shared/format.ts'
import { asksForRequest, chosenProduct, offered, shownPlace } from '../state.ts'
import { closedNow } from '../why-closed.ts'
import { useUi } from './context.ts'
import { Fact } from './Fact.tsx'
import { Picture } from './Picture.tsx'

/** With whom, what, how long and where: shown next to every step. */
export function Info() {
  const { state, texts, format, flow } = useUi()
  const place = shownPlace(state)
  if (!place) return null
  const product = chosenProduct(state)
  const slot = state.slot
  const example = slot ?? offered(state)[0]
  const minutes = example ? (example.end - example.start) / 60_000 : product?.minDuration
  const several = state.places.length > 1 && !state.resource && !slot
  // The form shows it above its button instead.
  const isRequest = asksForRequest(state) && state.step !== 'form'
  // Conditions that visitors should know before they choose or type anything.
  const hints = [
    isRequest && texts.needsConfirmation(place.provider.name),
    place.channel.customersOnly && !state.moving && texts.invitedOnly,
    state.step !== 'form' && closedNow(state, flow.now(), texts, format),
  ]
  const price = product?.priceText ?? (slot?.price && format.price(slot.price))
  const { theme, description: about } = place.provider
  // The first step shows what the business says about itself in full.
  const description = [
    state.step !== 'product' && about,
    product?.description,
    several ? null : place.resource.description,
  ]
    .filter(Boolean)
    .join('\n\n')
  return (
    <header class={several ? 'info any' : 'info'} part="info">
      {theme?.logoUrl && <img class="logo" part="logo" src={theme.logoUrl} alt="" />}
      <p class="soft" part="provider" data-initial={theme?.logoUrl ? undefined : [...place.provider.name][0]}>
        {place.provider.name}
      </p>
      {about && state.step === 'product' && (
        <p class="about soft" part="about">
          {about}
        </p>
      )}
      {!several && <Picture src={place.resource.imgUrl} name={place.resource.name} />}
      <h2 class={several ? 'unseen' : 'name'}>{several ? texts.title : place.resource.name}</h2>
      {product && <p class="product">{product.name}</p>}
      <dl class="facts">
        {minutes ? <Fact name={texts.duration}>{duration(minutes, texts)}</Fact> : null}
        {price && <Fact name={texts.price}>{price}</Fact>}
        {place.resource.address && !several && (
          <Fact name={texts.where} part="where">
            {place.resource.address}
          </Fact>
        )}
        {!several && place.contact.name !== place.provider.name && (
          <Fact name={texts.with}>{place.contact.name}</Fact>
        )}
      </dl>
      {state.step !== 'done' && hints.map(text => text && <p class="hint">{text}</p>)}
      {/* Later steps show it themselves. */}
      {description && !slot && state.step !== 'done' && (
        <details>
          <summary>{texts.details}</summary>
          <p class="description">{description}</p>
        </details>
      )}
    </header>
  )
}
