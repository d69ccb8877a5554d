import { mapLink } from '../../../web/shared/map-link.ts'
import { phoneLink } from '../../lib/clean-text.ts'
import { type Html, html } from '../../lib/html.ts'
import type { BookData } from './data.ts'

type Shown = Pick<BookData, 'place' | 'places' | 'isAny'>

/** The one place of all selected people and rooms; null if they have several. A text may be a link to a call. */
export function sharedAddress({ place, places, isAny }: Shown): string | null {
  const all = new Set((isAny ? places : [place]).map(one => one.resource.address).filter(Boolean))
  const [address] = all
  return all.size === 1 && !address!.includes('://') ? address! : null
}

/** The name of the business, with its initial if it has no logo, what it says about itself, and how to reach it. */
export function providerHead(data: Shown): Html {
  const { name, theme, description, phone } = data.place.provider
  const address = sharedAddress(data)
  const lines = [
    address &&
      html`<a class="address" href="${mapLink(address)}" target="_blank" rel="noopener noreferrer">${address}</a>`,
    phone && phoneNumber(phone),
  ].filter(Boolean)
  const initial = !theme?.logoUrl && html` data-initial="${[...name][0] ?? ''}"`
  const about = description && html`<p class="soft about">${description}</p>`
  if (lines.length === 0) return html`<h1${initial}>${name}</h1>${about}`
  return html`<div class="business"${initial}><h1>${name}</h1><p class="reach">${lines}</p></div>${about}`
}

/** What else stands in it, such as an extension, would be dialled wrongly. */
export function phoneNumber(phone: string): Html {
  const call = phoneLink(phone)
  return call ? html`<a href="${call}">${phone}</a>` : html`<span>${phone}</span>`
}
