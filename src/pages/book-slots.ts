import { makeFormat } from '../../web/widget/src/format.ts'
import { byDay, type Slot, slotOf } from '../../web/widget/src/slots.ts'
import { texts as widgetTexts } from '../../web/widget/src/texts/index.ts'
import type { Language } from '../languages.ts'
import { type BookData, shownFrom } from './book-data.ts'
import { bookTexts } from './book-texts.ts'
import { type Html, html } from './html.ts'

const daysOnPage = 7

/** What stands in the widget's place: all of it without JavaScript, for a moment with it. */
export function standIn(data: BookData, language: Language, notice: Html | null = null): Html {
  const { place } = data
  const texts = widgetTexts[language]
  const closed = whyClosed(data, language)
  return html`<h2>${place.resource.name}</h2>
${data.product && html`<p><strong>${data.product.name}</strong></p>`}
${place.resource.address && html`<p class="soft">${place.resource.address}</p>`}
${notice}
${closed ? html`<p>${closed}</p>` : data.product ? slotForm(data, language) : productLinks(data, language)}
${place.channel.bookingProcess === 'REQUESTED' && !closed && html`<p class="hint">${texts.needsConfirmation}</p>`}`
}

function whyClosed({ place, isClosed, products }: BookData, language: Language): string | null {
  const texts = widgetTexts[language]
  if (place.resource.archived) return texts.archived
  if (!place.channel.visible || isClosed) return texts.hidden
  return products.length === 0 ? texts.nothingFree : null
}

function productLinks(data: BookData, language: Language): Html {
  const links = data.products.map(
    product => html`<li><a href="${bookLink(data, { product: product.uuid })}">${product.name}</a></li>`,
  )
  return html`<h3>${widgetTexts[language].chooseProduct}</h3><ul>${links}</ul>`
}

function slotForm(data: BookData, language: Language): Html {
  const texts = widgetTexts[language]
  const zone = data.place.provider.timeZone
  const slots = data.bookables.map(slotOf).filter(slot => slot.start >= shownFrom(data) && slot.seatsLeft > 0)
  const days = [...byDay(slots, zone)]
  const shown = days.slice(0, daysOnPage)
  if (shown.length === 0) return html`<p>${texts.nothingFree}</p><p class="soft">${texts.nothingFreeHint}</p>`
  const format = makeFormat(language)
  const later = days[daysOnPage]?.[0] ?? nextMonthStart(data)
  return html`<h3>${texts.chooseTime}</h3><p class="soft">${format.zone(zone, shown[0]![1][0]!.start)}</p>
<form method="post" action="${bookLink(data, {}, '/reserve')}">
${shown.map(([day, list]) => html`<h3>${format.day(day)}</h3><ul class="slots">${list.map(slot => slotButton(slot, zone, language))}</ul>`)}
</form>
<p class="row">${later && html`<a href="${bookLink(data, { date: later })}">${bookTexts[language].later}</a>`}${data.query.date && html`<a href="${bookLink(data, { date: undefined })}">${bookTexts[language].earlier}</a>`}</p>`
}

/** When the list ends with the month, the next page begins with the next one. */
function nextMonthStart({ to }: BookData): string | null {
  return to === null ? null : new Date(to - 86_400_000).toISOString().slice(0, 10)
}

function slotButton(slot: Slot, zone: string, language: Language): Html {
  const seats =
    slot.seats > 1 && html`<small>${widgetTexts[language].seatsLeft(slot.seatsLeft, slot.seats)}</small>`
  return html`<li><button class="quiet" name="slot" value="${slotText(slot)}">${makeFormat(language).time(slot.start, zone)}${seats}</button></li>`
}

/** A slot as one form value. */
export const slotText = ({ start, end, timeslot, appointment, product }: Slot) =>
  [start, end, timeslot, appointment ?? '', product ?? ''].join(' ')

/** This page with other wishes. */
export function bookLink({ ref, query }: BookData, change: Partial<BookData['query']>, step = ''): string {
  const given = Object.entries({ ...query, ...change }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const text = new URLSearchParams(given).toString()
  return `/book/${encodeURIComponent(ref)}${step}${text && `?${text}`}`
}
