import { duration } from '../../../web/shared/format.ts'
import { byDay, choices, partsOfDay, type Slot, slotOf } from '../../../web/shared/slots.ts'
import { languages } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { type BookData, placeOf, shownFrom } from './data.ts'
import type { Words } from './texts.ts'

const daysOnPage = 7

/**
 * What stands in the widget's place: all of it without JavaScript, for a moment with it. The first time stands where the
 * widget will show it, so that nobody's finger misses it.
 */
export function standIn(data: BookData, words: Words, notice: Html | null = null): Html {
  const { channel } = data.place
  const closed = whyClosed(data, words)
  return html`${head(data, words)}
${notice}
${!closed && placeLinks(data, words)}
${closed ? html`<p>${closed}</p>` : data.product ? slotForm(data, words) : productLinks(data, words)}
${channel.bookingProcess === 'REQUESTED' && !closed && html`<p class="hint">${words.texts.needsConfirmation}</p>`}
${languageLinks(data, words)}`
}

/** For whoever has no JavaScript: the widget has a list of its own. */
function languageLinks(data: BookData, { language }: Words): Html {
  const links = languages
    .filter(one => one !== language)
    .map(one => {
      const name = new Intl.DisplayNames(one, { type: 'language' }).of(one)!
      return html`<a href="${bookLink(data, { lang: one })}" lang="${one}" hreflang="${one}">${name[0]!.toUpperCase() + name.slice(1)}</a>`
    })
  return html`<noscript><p class="row">${links}</p></noscript>`
}

function head({ place, isAny, product, bookables }: BookData, { texts }: Words): Html {
  const [first] = bookables
  const minutes = first ? (Date.parse(first.end) - Date.parse(first.start)) / 60_000 : product?.minDuration
  const facts = [minutes && product ? duration(minutes, texts) : null, isAny ? null : place.resource.address]
  return html`<div class="head"><h2>${isAny ? texts.title : place.resource.name}</h2>${product && html`<p>${product.name}</p>`}
<p class="soft">${facts.filter(Boolean).join(' · ')}</p></div>`
}

function whyClosed({ places, isClosed, products }: BookData, { texts }: Words): string | null {
  if (places.every(one => one.resource.archived)) return texts.archived
  if (isClosed || places.every(one => one.resource.archived || !one.channel.visible)) return texts.hidden
  return products.length === 0 ? texts.nothingFree : null
}

function productLinks(data: BookData, { texts }: Words): Html {
  const links = data.products.map(
    ({ uuid, name }) => html`<li><a href="${bookLink(data, { product: uuid })}">${name}</a></li>`,
  )
  return html`<h3>${texts.chooseProduct}</h3><ul>${links}</ul>`
}

/** One of them, or any; called what the Provider calls them. */
function placeLinks(data: BookData, { texts }: Words): Html | false {
  const { places, place, isAny } = data
  if (places.length === 1) return false
  const link = (name: string, resource: string | undefined, isChosen: boolean) =>
    isChosen ? html`<strong>${name}</strong>` : html`<a href="${bookLink(data, { resource })}">${name}</a>`
  return html`<noscript><p class="row">${place.provider.resourceWord ?? texts.resource}: ${link(texts.anyResource, undefined, isAny)}
${places.map(one => link(one.resource.name, one.resource.uuid, !isAny && one === place))}</p></noscript>`
}

/** Where a chosen time is sent, and where other days are found. */
type SlotLinks = { method: 'get' | 'post'; action: string; on: (date: string | undefined) => string }

const toBook = (data: BookData): SlotLinks => ({
  method: 'post',
  action: bookLink(data, {}, '/reserve'),
  on: date => bookLink(data, { date }),
})

export function slotForm(data: BookData, words: Words, links = toBook(data)): Html {
  const { texts, more, format } = words
  const zone = data.place.provider.timeZone
  const wanted = data.isAny ? null : data.place.resource.uuid
  const slots = choices(data.bookables.map(slotOf), wanted).filter(
    slot => slot.start >= shownFrom(data) && slot.seatsLeft > 0,
  )
  const days = [...byDay(slots, zone)]
  if (days.length === 0) return html`<p>${texts.nothingFree}</p><p class="soft">${texts.nothingFreeHint}</p>`
  const parts = (list: Slot[]) =>
    partsOfDay(list, zone).map(
      ([part, some]) =>
        html`<h4>${texts[part]}</h4><ul class="slots">${some.map(slot => slotButton(slot, data, words))}</ul>`,
    )
  const later = days[daysOnPage]?.[0] ?? endOf(data)
  const groups = days
    .slice(0, daysOnPage)
    .map(([day, list]) => html`<h3>${format.day(day)}</h3>${parts(list)}`)
  return html`<form method="${links.method}" action="${links.action}">${groups}</form>
<p class="soft zone">${texts.timeZone}: ${format.zone(zone, days[0]![1][0]!.start)}</p>
<p class="row">${later && html`<a href="${links.on(later)}">${more.later}</a>`}
${data.query.date && html`<a href="${links.on(undefined)}">${more.earlier}</a>`}</p>`
}

/** The list ends with the month; the next page begins there. */
function endOf({ to }: BookData): string | null {
  return to === null ? null : new Date(to - 86_400_000).toISOString().slice(0, 10)
}

function slotButton(slot: Slot, data: BookData, { texts, format }: Words): Html {
  const ids = [slot.timeslot, slot.appointment ?? '', slot.product ?? '', slot.resource]
  const value = [slot.start, slot.end, ...ids].join(' ')
  const zone = data.place.provider.timeZone
  const whose = data.isAny && html`<small>${placeOf(data, slot.resource).resource.name}</small>`
  const seats = slot.seats > 1 && html`<small>${texts.seatsLeft(slot.seatsLeft, slot.seats)}</small>`
  return html`<li><button class="quiet" name="slot" value="${value}">${format.time(slot.start, zone)}${whose}${seats}</button></li>`
}

/** This page with other wishes, or a step of it. */
export function bookLink(data: BookData, change: Partial<BookData['query']>, step = ''): string {
  const wishes = Object.entries({ ...data.query, ...change })
  const given = wishes.filter((entry): entry is [string, string] => entry[1] !== undefined)
  const text = new URLSearchParams(given).toString()
  return `${bookPath(data)}${step}${text && `?${text}`}`
}

export const bookPath = ({ refs }: BookData) => `/book/${refs.map(encodeURIComponent).join()}`
