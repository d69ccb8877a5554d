// Replaces values that differ in every run: identifiers, tokens and the time of the run.

const fixed: Record<string, unknown> = {
  migration: 1,
  oldestJobSeconds: 0,
  ...Object.fromEntries(
    ['bytes', 'free', 'total', 'waiting', 'queued', 'ms', 'oldestSeconds'].map(name => [name, 100]),
  ),
  node: 'v26.0.0',
  deliveryId: '42',
  recoveryCodes: ['abcd-efgh-jkmn-pqrs'],
  averageMinutes: 4320,
  etag: '"Zm9sbG93c3RoZXJlY29yZC"',
}

/** Previews show a day of next week. */
const preview = {
  subject: 'Confirmed: Thu, 4 Mar 2027, 10:00 (Berlin time) – Talk',
  text: 'Hello Emma Clarke,\n\n...\n\nPlease bring your insurance card.\n\n...',
  html: '<!doctype html>...',
}
const text = '"(?:[^"\\\\]|\\\\.)*"'
const previews = new RegExp(`\\{"subject":${text},"text":${text},"html":${text}\\}`, 'g')

/** Masks everything together, so that an identifier has the same replacement in all examples. */
export function masked<T>(value: T): T {
  const uuids = new Map<string, string>()
  const standIn = (uuid: string) => {
    const number = String(uuids.size + 1).padStart(12, '0')
    if (!uuids.has(uuid)) uuids.set(uuid, `a1b2c3d4-0000-4000-8000-${number}`)
    return uuids.get(uuid)!
  }
  const short = new Map<string, string>()
  const shortStandIn = (made: string) => {
    if (!short.has(made)) short.set(made, `mi3x7k2p${String(short.size + 1).padStart(6, '0')}`)
    return short.get(made)!
  }
  const text = JSON.stringify(value, (name, inner) => (name in fixed ? fixed[name] : inner))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, standIn)
    .replaceAll(/[0-9a-z]{14}(?=@consumer")/g, shortStandIn)
    // Times with seconds were not chosen by the scenario.
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:(?!00Z|00\+)[\d.]+(Z|\+\d\d:\d\d)/g, '2027-03-01T09:00:00Z')
    // A signed token: subject, expiry and signature.
    .replaceAll(/[\w-]{20,}\.[\w-]{1,20}\.[\w-]{20,}/g, 'bWFkZQ.tvom40.c2lnbmVk')
    .replaceAll(/"next":"\d+\.\d+\.\d+(\.\d+)?"/g, '"next":"1.1000.42"')
    .replaceAll(/"hf_[a-z0-9]+_\w{24,}"/g, '"hf_1a2b3c4d_shown-this-once"')
    .replaceAll(/"secret":"[A-Z2-7]{32}"/g, '"secret":"JBSWY3DPEHPK3PXP"')
    .replaceAll(/(otpauth:[^"]*secret=)\w+/g, '$1SECRET')
    .replaceAll(/"(prefix|reference|name|key)":"[0-9a-f]{8}"/g, '"$1":"1a2b3c4d"')
    .replaceAll(/"code":"\d{6}"/g, '"code":"123456"')
    .replaceAll(/(\/console\/login\/)[\w-]{20,}/g, '$1c2VjcmV0')
    .replaceAll(/(\/calendar\/)[\w-]{20,}/g, '$1c2VjcmV0')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/hook/g, 'https://crm.example.org/holdfast')
    .replaceAll(/"requests":\[\{"id":"\d+"/g, '"requests":[{"id":"42"')
    .replaceAll(/\],"next":\d+\}/g, '],"next":42}')
    // The number of earlier deliveries varies.
    .replaceAll(/"(delivery|deliveries)":(\[?\{)"id":"\d+"/g, '"$1":$2"id":"42"')
    .replaceAll(/whsec_[\w+/=-]+/g, 'whsec_c2VjcmV0')
    .replaceAll(/whpk_[\w+/=-]+/g, 'whpk_cHVibGlj')
    .replaceAll(/"sequence":\d+/g, '"sequence":4711')
    .replaceAll(previews, () => JSON.stringify(preview))
  return JSON.parse(text)
}
