import { findRefs } from '../../db/booking/refs.ts'
import { countryOfZone, mobileKey, namesCountry } from '../../rules/people/phones.ts'
import type { Service } from '../../service.ts'

/**
 * The key for matching people by number. A number without a prefix belongs to the country of the Provider's
 * time zone, which is usually cached since the list was shown.
 */
export async function mobileKeyAt(service: Service, ref: string, mobile: string | null) {
  if (mobile === null || namesCountry(mobile)) return mobileKey(mobile, null)
  const zone = service.refs.known.get(ref)?.timeZone ?? (await findRefs(service.db, [ref])).found[0]?.timeZone
  return mobileKey(mobile, zone === undefined ? null : countryOfZone(zone))
}
