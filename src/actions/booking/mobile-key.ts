import { findRefs } from '../../db/booking/refs.ts'
import { countryOfZone, mobileKey, namesCountry } from '../../rules/people/phones.ts'
import type { Service } from '../../service.ts'

/**
 * A number as people are found by it. One without a prefix is of the country that the Provider's clocks are of; which that
 * is, whoever has shown the list mostly knows already.
 */
export async function mobileKeyAt(service: Service, ref: string, mobile: string | null) {
  if (mobile === null || namesCountry(mobile)) return mobileKey(mobile, null)
  const zone = service.refs.known.get(ref)?.timeZone ?? (await findRefs(service.db, [ref])).found[0]?.timeZone
  return mobileKey(mobile, zone === undefined ? null : countryOfZone(zone))
}
