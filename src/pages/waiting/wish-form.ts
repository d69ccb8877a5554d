import type { WishInput } from '../../actions/scheduling/waiting/entries.ts'
import type { Language } from '../../languages.ts'
import { type Html, html } from '../../lib/html.ts'
import { textsIn } from '../../messages/texts/index.ts'
import { waitingPageTexts } from './texts.ts'

type Body = Record<string, unknown> | undefined

/** Dates, weekdays and hours, as the native fields of a phone. */
export function wishFields(language: Language, wish: WishInput, today: string): Html {
  const texts = waitingPageTexts[language]
  const chosen = wish.weekdays ?? []
  const input = (
    name: string,
    type: string,
    label: string,
    value: string | null | undefined,
    isRequired = true,
  ) =>
    html`<p><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" value="${value ?? ''}"${isRequired && html` required`}${type === 'date' && html` min="${today}"`}></p>`
  const names = new Intl.DateTimeFormat(textsIn(language).locale, { weekday: 'short', timeZone: 'UTC' })
  const days = [1, 2, 3, 4, 5, 6, 7].map(
    // 1 January 2024 was a Monday.
    day =>
      html`<label><input type="checkbox" name="weekdays" value="${day}"${chosen.includes(day) && html` checked`}> ${names.format(Date.UTC(2024, 0, day))}</label>`,
  )
  return html`<div class="pair">${input('from', 'date', texts.from, wish.from)}${input('to', 'date', texts.to, wish.to)}</div>
<fieldset class="days"><legend>${texts.weekdays}</legend><div class="row">${days}</div><span class="soft">${texts.anyDay}</span></fieldset>
<div class="pair">${input('timeFrom', 'time', texts.timeFrom, wish.timeFrom, false)}${input('timeTo', 'time', texts.timeTo, wish.timeTo, false)}</div>`
}

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

export function readWishForm(body: Body): WishInput {
  const days = [body?.weekdays ?? []]
    .flat()
    .map(Number)
    .filter(one => Number.isInteger(one) && one >= 1 && one <= 7)
  return {
    from: text(body?.from),
    to: text(body?.to),
    weekdays: days,
    timeFrom: text(body?.timeFrom) || null,
    timeTo: text(body?.timeTo) || null,
  }
}

export const formText = (body: Body, name: string) => text(body?.[name])
