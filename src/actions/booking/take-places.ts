import type { Held } from '../../db/booking/held.ts'
import { invalidField, missingField } from '../../errors.ts'
import type { Placement } from '../../rules/offers/slots.ts'
import type { Product } from '../../rules/offers/window.ts'
import type { CompleteRequest } from './requests.ts'

// How many places a booking takes, and for whom.

export type TakenPlaces = { placeNames: string[] | null }

/** A hold was checked when it was made. */
export function refuseTooManyPlaces({ maxPlaces = 1 }: Pick<Product, 'maxPlaces'>, places: number) {
  if (places > maxPlaces) throw invalidField('place_count', 'max:at-once', { limit: maxPlaces })
}

export const namesForHold = (request: CompleteRequest, { places, placeNamesRequired }: Held): TakenPlaces =>
  takeNames(request, places, placeNamesRequired)

export function namesForPlace(request: CompleteRequest, { product, places }: Placement): TakenPlaces {
  refuseTooManyPlaces(product, places)
  return takeNames(request, places, product.placeNamesRequired === true)
}

/** Names are kept only if the Product asks for them. A single place is the booker's own. */
function takeNames({ placeNames }: CompleteRequest, places: number, isAsked: boolean): TakenPlaces {
  if (!isAsked) return { placeNames: null }
  const names = placeNames.map(one => one.trim())
  if (names.length > places) throw invalidField('place_names', 'max:places', { limit: places })
  if (places === 1) return { placeNames: names[0] ? names : null }
  const missing = Array.from({ length: places }, (_, index) => index).find(index => !names[index])
  if (missing !== undefined) throw missingField(`place_names[${missing}]`, 'place-name')
  return { placeNames: names }
}
