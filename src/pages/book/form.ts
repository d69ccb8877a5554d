import type { Product } from '../../../web/shared/api-types.ts'
import { dateLine } from '../../../web/shared/confirmation.ts'
import { confirmationHint } from '../../../web/shared/email-texts.ts'
import {
  type FieldErrors,
  type FieldName,
  type Fields,
  fieldNames,
  limits,
} from '../../../web/shared/fields.ts'
import { duration } from '../../../web/shared/format.ts'
import { placeTexts } from '../../../web/shared/place-texts.ts'
import { clockNow } from '../../lib/clock.ts'
import { element, type Html, html } from '../../lib/html.ts'
import type { FormQuestion } from '../../rules/questions/questions.ts'
import { answersTexts } from '../answers-texts.ts'
import { errorSummary, type GivenAnswers, questionFields, summaryOf } from '../questions.ts'
import type { BookData } from './data.ts'
import type { BookPage } from './open-page.ts'
import { phoneNumber } from './provider-head.ts'
import { bookingInfo, bookLink, descriptionOf } from './slots.ts'
import type { Words } from './texts.ts'

export type Chosen = {
  start: number
  end: number
  timeslot: string
  /** The Appointment of the held place. */
  appointment: string
  product: string
  resource: string
  placeholder: string
}

/** `errors` and `answerErrors` have texts by the name of the field and the key of the question. */
type FormView = {
  chosen: Chosen
  fields: Fields
  given: GivenAnswers
  hasAgreed: boolean
  errors?: FieldErrors
  answerErrors?: Map<string, string>
  mustAgree?: boolean
  /** How many places were chosen, and the names, one on each line. */
  places?: PlacesTyped
  /** When the hold expires. */
  until?: number | null
}

export type PlacesTyped = { count: number; names: string; error?: 'tooFew' | 'names' }

export const productOf = ({ products }: BookData, { product }: Pick<Chosen, 'product'>) =>
  products.find(one => one.uuid === product)

/** The questions of the chosen Product. */
export const formOf = ({ data }: BookPage, chosen: Pick<Chosen, 'product'>): FormQuestion[] =>
  (productOf(data, chosen)?.questions ?? []) as FormQuestion[]

/** How many places; whether so many are left is known when the form is sent. */
function placeFields(product: Product | undefined, { language }: Words, { places }: FormView): Html | null {
  if (!product || product.maxPlaces < 2) return null
  const { count = 1, names = '', error } = places ?? {}
  const texts = placeTexts[language]
  const numbers = Array.from({ length: product.maxPlaces }, (_, index) => index + 1)
  const wrong = (isHere: boolean) => isHere && html` aria-invalid="true" aria-describedby="places-error"`
  const message = error === 'names' ? texts.missingNames(count) : texts.tooFew
  const why = (isHere: boolean) =>
    isHere && html`<span class="bad" id="places-error" role="alert">${message}</span>`
  const options = numbers.map(
    number => html`<option value="${number}"${number === count && html` selected`}>${number}</option>`,
  )
  return html`<p><label for="place_count">${texts.count}</label>
<select id="place_count" name="place_count"${wrong(error === 'tooFew')}>${options}</select>${why(error === 'tooFew')}</p>
${
  product.placeNamesRequired &&
  html`<p><label for="place_names">${texts.names}</label>
<textarea id="place_names" name="place_names" rows="3"${wrong(error === 'names')}>${names}</textarea>${why(error === 'names')}</p>`
}`
}

/** The booking form for visitors without JavaScript. */
export function bookForm({ data, words, reply }: BookPage, view: FormView): Html {
  const { chosen, fields, given, errors = {}, answerErrors = new Map(), until } = view
  const { texts, pageTexts, format } = words
  const isRequest = data.place.channel.bookingProcess === 'REQUESTED'
  const hidden = Object.entries(chosen).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const advice = descriptionOf(data)
  const form = formOf({ data, words, reply }, chosen)
  const wrong = [
    ...fieldNames.flatMap(name =>
      errors[name] ? [{ id: name, label: texts[name], text: texts[errors[name]] }] : [],
    ),
    ...summaryOf(form, answerErrors),
    ...(view.mustAgree ? [{ id: 'agreed', label: texts.acceptTerms, text: texts.mustAccept }] : []),
  ]
  return html`<div class="stand-in">${bookingInfo(data, words, false)}<h3 class="title">${texts.yourDetails}</h3>
${when(data, words, chosen.start, chosen.end)}
${advice && html`<p class="typed">${advice}</p>`}
${until && html`<p>${pageTexts.heldUntil(format.time(until, data.place.provider.timeZone))}</p>`}
<form method="post" action="${bookLink(data, {}, '/complete')}" novalidate>${hidden}
${form.length > 0 && wrong.length > 0 && errorSummary(answersTexts[words.language].check, wrong)}
${contactFields(data, fields, errors, words)}
${placeFields(productOf(data, chosen), words, view)}
${questionFields({ form, given, errors: answerErrors, language: words.language }, texts.optional)}
${isRequest && html`<p class="hint">${confirmationHint(words, data.place.provider)}</p>`}
${trust(data, words, view)}
<p class="row"><button>${isRequest ? texts.request : texts.book}</button> <button class="link" formaction="${bookLink(data, {}, '/times')}">${texts.back}</button></p>
</form></div>`
}

/** Whether the form cannot be sent without a phone number. */
export const needsPhone = ({ place }: BookData) => place.channel.phoneField === 'REQUIRED'

/** Those that the channel asks for. */
export function contactFields(data: BookData, fields: Fields, errors: FieldErrors, words: Words): Html {
  const { phoneField, askMessage } = data.place.channel
  const hidden = [phoneField === 'HIDDEN' && 'mobile', !askMessage && 'message']
  const optional = needsPhone(data) ? ['message'] : ['mobile', 'message']
  return html`${fieldNames
    .filter(name => !hidden.includes(name))
    .map(name => field(name, optional.includes(name), fields[name], errors[name], words))}`
}

/** Who receives the details. */
export const dataNotice = ({ place: { provider } }: BookData, { texts }: Words): Html =>
  html`<p class="soft">${texts.dataGoesTo(provider.name)}
${provider.privacyUrl && html`<a href="${provider.privacyUrl}" rel="noopener noreferrer">${texts.privacy}</a>.`}</p>`

/** Who receives the details, until when the booking can be cancelled, whom to call, and the terms. */
function trust(
  { place: { provider, contact, channel } }: BookData,
  { texts }: Words,
  { chosen: { start }, mustAgree, hasAgreed }: FormView,
): Html {
  const number = contact.phone ?? contact.mobile ?? provider.phone
  const notice = channel.changeNoticeMinutes
  const isLate = start - notice * 60_000 <= clockNow()
  const wrong = mustAgree && html` aria-invalid="true" aria-describedby="agreed-error"`
  return html`<p class="soft">${texts.dataGoesTo(provider.name)}
${provider.privacyUrl && html`<a href="${provider.privacyUrl}" rel="noopener noreferrer">${texts.privacy}</a>.`}
${isLate ? texts.noChange : texts.changeUntil(notice ? duration(notice, texts) : '')} ${number && html`${texts.contact}${texts.colon} ${phoneNumber(number)}`}</p>
${provider.terms && html`<details><summary>${texts.terms}</summary><p class="typed">${provider.terms}</p></details>`}
${
  provider.termsRequired &&
  html`<p><label><input type="checkbox" id="agreed" name="agreed" required${hasAgreed && html` checked`}${wrong}> ${texts.acceptTerms}</label>
${mustAgree && html`<span class="bad" id="agreed-error">${texts.mustAccept}</span>`}</p>`
}`
}

function when({ place }: BookData, { format }: Words, start: number, end: number): Html {
  const zone = place.provider.timeZone
  return html`<p class="when"><strong>${dateLine(element, format.fullDay(start, zone))}<br>
${format.time(start, zone)} – ${format.time(end, zone)}</strong><br><span class="soft">${format.zone(zone, start)}</span></p>`
}

const hints: Record<FieldName, [type: string, autocomplete: string]> = {
  firstname: ['text', 'given-name'],
  lastname: ['text', 'family-name'],
  email: ['email', 'email'],
  mobile: ['tel', 'tel'],
  message: ['text', 'off'],
}

function field(
  name: FieldName,
  isOptional: boolean,
  value: string,
  error: FieldErrors[FieldName],
  { texts }: Words,
): Html {
  const [type, autocomplete] = hints[name]
  const marks = html`${!isOptional && html` required`}${error && html` aria-invalid="true" aria-describedby="${name}-error"`}`
  const shared = html`id="${name}" name="${name}" maxlength="${limits[name]}" autocomplete="${autocomplete}"${marks}`
  const input =
    name === 'message'
      ? html`<textarea rows="3" ${shared}>${value}</textarea>`
      : html`<input type="${type}" value="${value}" ${shared}>`
  return html`<p><label for="${name}">${texts[name]}${isOptional && ` (${texts.optional})`}</label>${input}
${error && html`<span class="bad" id="${name}-error">${texts[error]}</span>`}</p>`
}
