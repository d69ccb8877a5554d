import { closedSentence } from '../../../web/shared/closures.ts'
import { confirmationHint } from '../../../web/shared/email-texts.ts'
import { duration } from '../../../web/shared/format.ts'
import { manyProducts, offering } from '../../../web/shared/list-answer.ts'
import { byDay, choices, isTwin, partsOfDay, type Slot } from '../../../web/shared/slots.ts'
import { dayAt } from '../../../web/shared/zones.ts'
import { languages } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { type BookData, isLarge, placeOf, shownFrom, zoneOf } from './data.ts'
import { sharedAddress } from './provider-head.ts'
import { seriesPageTexts } from './series-texts.ts'
import type { Words } from './texts.ts'
import { inTypedForm, typedForm, typedLink } from './typed.ts'

const daysOnPage = 7

/**
 * Shown in place of the widget: permanently without JavaScript, for a moment with it. The first time is where
 * the widget will show it, so that a tap does not miss it when the widget loads.
 */
export function widgetPlaceholder(data: BookData, words: Words, notice: Html | null = null): Html {
  const closed = whyClosed(data, words)
  return html`${typedForm(data.typed ?? [], bookLink(data, {}, '/reserve'))}${bookingInfo(data, words, closed === null)}
${!closed && data.product && !isLarge(data.refs) && roomForMonth(data)}
${notice}
${!closed && data.product && placeLinks(data, words)}
${closed ? html`<p>${closed}</p>` : data.product ? slotForm(data, words) : productLinks(data, words)}
${languageLinks(data, words)}`
}

/** Below the times, and where there are none. */
export const waitingListLink = (data: BookData, { texts }: Words): Html | false =>
  data.place.channel.waitingList !== null &&
  html`<p class="row waiting"><a href="${bookLink(data, {}, '/waiting')}">${texts.joinWaitingList}</a></p>`

/** Below the widget, and below the times without JavaScript. */
export const seriesLink = (data: BookData, { language }: Words): Html | false =>
  data.place.channel.series !== null &&
  html`<p class="row waiting"><a href="${bookLink(data, {}, '/series')}">${seriesPageTexts(language).title}</a></p>`

/**
 * Reserves the space that the widget needs above the first time: the month, and perhaps a back link and a
 * select box.
 */
export function roomForMonth({ places, products, product }: BookData): Html {
  const isChoice = offering(places, product?.uuid).length > 1
  const more = [products.length > 1 && ' back', isChoice && ' choice'].filter(Boolean).join('')
  return html`<div class="room${more}"></div>`
}

/** The widget has its own. */
const withoutWidget = (data: BookData, content: Html): Html =>
  isLarge(data.refs) ? content : html`<noscript>${content}</noscript>`

/** Each language in its own words. */
const languageNames = languages.map(one => {
  const name = new Intl.DisplayNames(one, { type: 'language' }).of(one)!
  return { one, name: name[0]!.toUpperCase() + name.slice(1) }
})

/** Only without JavaScript: the widget has its own list of languages. */
function languageLinks(data: BookData, { language }: Words): Html {
  const links = languageNames
    .filter(({ one }) => one !== language)
    .map(({ one, name }) => listLink(data, { lang: one }, html`<span lang="${one}">${name}</span>`))
  return withoutWidget(data, html`<p class="row">${links}</p>`)
}

/** With whom, what, how long and where: the same lines as in the widget. */
export function bookingInfo(data: BookData, words: Words, isOpen = true): Html {
  const { texts } = words
  const { place, isAny, product, slots } = data
  const { resource, contact, provider } = place
  const [first] = slots
  const minutes = first ? (first.end - first.start) / 60_000 : product?.minDuration
  const facts = [
    [texts.duration, minutes && product ? duration(minutes, texts) : null],
    [texts.price, product?.priceText],
    // At the top of the page, if it is one place.
    [texts.where, isAny || sharedAddress(data) ? null : resource.address],
    [texts.with, isAny || contact.name === provider.name ? null : contact.name],
  ].filter(([_key, value]) => value)
  // Before a service is chosen, it stands above in full.
  const advice = [product && provider.description, descriptionOf(data)].filter(Boolean).join('\n\n')
  return html`<div class="head${isAny && ' any'}">${!isAny && picture(resource.imgUrl, resource.name)}<h2${isAny && html` class="unseen"`}>${isAny ? texts.title : resource.name}</h2>${product && html`<p class="product">${product.name}</p>`}
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt> <dd>${value}</dd></div>`)}</dl>
${isOpen && hintsOf(data, words).map(text => html`<p class="hint">${text}</p>`)}
${advice && isOpen && html`<details><summary>${texts.details}</summary><p class="typed">${advice}</p></details>`}</div>`
}

/** Conditions that visitors should know before they choose or type anything. */
function hintsOf(data: BookData, words: Words): string[] {
  const { texts } = words
  const { bookingProcess, customersOnly } = data.place.channel
  return [
    bookingProcess === 'REQUESTED' && confirmationHint(words, data.place.provider),
    customersOnly && texts.invitedOnly,
    closedText(data, words),
  ].filter(text => typeof text === 'string')
}

/** Why and until when all selected Resources are closed. */
function closedText(data: BookData, { texts, format }: Words): string | null {
  const selected = data.isAny ? data.places : [data.place]
  return closedSentence(selected, data.now, zoneOf(data), texts, format)
}

/** The provider's note to all visitors: what to bring, where to ring. */
export const descriptionOf = ({ product, place, isAny }: BookData): string =>
  [product?.description, isAny ? null : place.resource.description].filter(Boolean).join('\n\n')

function whyClosed({ places, isClosed, products }: BookData, { texts }: Words): string | null {
  if (places.every(one => one.resource.archived)) return texts.archived
  if (isClosed || places.every(one => one.resource.archived || !one.channel.visible))
    return texts.bookingClosed
  return products.length === 0 ? texts.noTimes : null
}

/** `linkTo` leads to the next step with this Product. */
export function productLinks(
  data: BookData,
  { texts }: Words,
  linkTo: (product: string, name: Html) => Html = (product, name) => listLink(data, { product }, name),
): Html {
  const links = data.products.map(
    ({ uuid, name, minDuration, description, priceText, imageUrl }) =>
      html`<li>${picture(imageUrl, name)}${linkTo(uuid, html`<strong>${name}</strong>`)} ${minDuration && html`<span class="pill">${duration(minDuration, texts)}</span>`}
${priceText && html`<span class="price">${priceText}</span>`}${description && html`<span class="soft line">${description}</span>`}</li>`,
  )
  const isLong = data.products.length >= manyProducts
  return html`<h3>${texts.chooseProduct}</h3>${isLong && html`<div class="search"></div>`}<ul class="choices">${links}</ul>`
}

/** Of a fixed size, so that nothing moves. One that fails to load leaves the first letter of the name. */
export const picture = (address: string | null, name: string): Html | null =>
  address
    ? html`<img class="picture" src="${address}" alt="" data-initial="${[...name][0] ?? ''}" width="56" height="56" loading="lazy" referrerpolicy="no-referrer">`
    : null

/** One Resource, or any; labelled with the Provider's own word. */
function placeLinks(data: BookData, { texts }: Words): Html | false {
  const { place, isAny, product } = data
  const places = offering(data.places, product?.uuid)
  if (places.length < 2) return false
  const link = (name: string, resource: string | undefined, isChosen: boolean) =>
    isChosen ? html`<strong>${name}</strong>` : listLink(data, { resource }, html`${name}`)
  return withoutWidget(
    data,
    html`<p class="row">${place.provider.resourceWord ?? texts.resource}${texts.colon} ${link(texts.anyResource, undefined, isAny)}
${places.map(one => link(one.resource.name, one.resource.uuid, !isAny && one === place))}</p>`,
  )
}

/** To this page with another choice. */
const listLink = (data: BookData, change: Partial<BookData['query']>, name: Html): Html =>
  typedLink(data.typed ?? [], { link: bookLink(data, change), post: bookLink(data, change, '/times') }, name)

/** Where a chosen time is posted, and the link to other days. */
type SlotLinks = {
  action: string
  on: (date: string | undefined, name: string) => Html
  /** Further fields of the form. */
  before?: Html
}

const toBook = (data: BookData): SlotLinks => ({
  action: bookLink(data, {}, '/reserve'),
  on: (date, name) => listLink(data, { date }, html`${name}`),
})

export function slotForm(data: BookData, words: Words, links: SlotLinks = toBook(data)): Html {
  const { texts, pageTexts, format } = words
  const zone = zoneOf(data)
  const wanted = data.isAny ? null : data.place.resource.uuid
  const from = shownFrom(data)
  const slots = choices(data.slots, wanted).filter(slot => slot.start >= from && slot.seatsLeft > 0)
  const days = [...byDay(slots, zone)]
  if (days.length === 0) {
    const closed = closedText(data, words)
    return closed
      ? html`<p>${closed}</p>`
      : html`<p>${texts.noTimes}</p><p class="soft">${texts.noTimesHint}</p>`
  }
  const parts = (list: Slot[]) =>
    partsOfDay(list, zone).map(
      ([part, some]) =>
        html`<h4>${texts[part]}</h4><ul class="slots">${some.map(slot => slotButton(slot, some, data, words))}</ul>`,
    )
  const later = days[daysOnPage]?.[0] ?? endOf(data)
  // Above the first times, as in the widget, whose first time must appear in the same place.
  const zoneLine = html`<p class="soft zone">${format.zone(zone, days[0]![1][0]!.start)}</p>`
  const groups = days
    .slice(0, daysOnPage)
    .map(([day, list], index) => html`<h3>${format.day(day)}</h3>${index === 0 && zoneLine}${parts(list)}`)
  return html`<form method="post" action="${links.action}">${links.before}${groups}</form>
<p class="row">${later && links.on(later, pageTexts.laterTimes)}
${data.query.date && links.on(undefined, pageTexts.earlierTimes)}</p>`
}

/** The list ends with the month; the next page starts there. */
function endOf({ to }: BookData): string | null {
  return to === null ? null : new Date(to - 86_400_000).toISOString().slice(0, 10)
}

function slotButton(slot: Slot, others: Slot[], data: BookData, { texts, format }: Words): Html {
  const ids = [slot.timeslot, slot.appointment ?? '', slot.product ?? '', slot.resource]
  const value = [slot.start, slot.end, ...ids].join(' ')
  const zone = zoneOf(data)
  const whose = isTwin(slot, others) && html`<small>${placeOf(data, slot.resource).resource.name}</small>`
  const seats = slot.seats > 1 && html`<small>${texts.seatsLeft(slot.seatsLeft, slot.seats)}</small>`
  const day = html`<span class="unseen"> ${format.day(dayAt(slot.start, zone))}</span>`
  return html`<li><button class="quiet"${inTypedForm(data.typed ?? [])} name="slot" value="${value}">${format.time(slot.start, zone)}${day}${whose}${seats}</button></li>`
}

export const attribute = (name: string, value: string | undefined) =>
  value !== undefined && html` ${name}="${value}"`

/** This page with other query parameters, or one of its steps. */
export function bookLink(data: BookData, change: Partial<BookData['query']>, step = ''): string {
  const parameters = Object.entries({ ...data.query, ...change })
  const given = parameters.filter((entry): entry is [string, string] => entry[1] !== undefined)
  const text = new URLSearchParams(given).toString()
  return `${bookPath(data)}${step}${text && `?${text}`}`
}

export const bookPath = ({ refs, business }: Pick<BookData, 'refs' | 'business'>) =>
  `/book/${business?.address ?? joined(refs)}`

/** Written once: a page of many Resources has a link for each of them. */
function joined(refs: string[]): string {
  const path = joinedRefs.get(refs) ?? refs.map(encodeURIComponent).join()
  joinedRefs.set(refs, path)
  return path
}

const joinedRefs = new WeakMap<string[], string>()
