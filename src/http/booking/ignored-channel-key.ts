import { resolveRef } from '../../actions/booking/resolve-ref.ts'
import { isChannelKey } from '../../rules/offers/channels.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import type { SentInput } from '../wire/route.ts'

// The uuid of a channel as `ref` brings its own key, so a `channelKey` beside it is ignored, whatever it holds.

type Names = {
  refs(sent: SentInput): unknown[]
  /** Whether one channel among the refs is enough. */
  isAnyEnough?: boolean
}

/** For routes with a `channelKey`: removes one that is unknown, if these refs need none. */
export const dropIgnoredChannelKey =
  ({ refs, isAnyEnough = false }: Names) =>
  (service: Service, sent: SentInput): Promise<void> | undefined =>
    hasUnknownKey(sent) ? dropUnlessNeeded(service, sent, refs(sent), isAnyEnough) : undefined

export const refInPath = ({ params }: SentInput) => [params.ref]
export const refsInQuery = ({ query }: SentInput) => [query.ref ?? []].flat().filter(isPresent)

/** Timeslots, Appointments and businesses need the key. */
export const onlyRefs = (sent: SentInput) =>
  [sent.query.tslRefs, sent.query.business].flat().some(isPresent) ? [] : refsInQuery(sent)

const isPresent = (value: unknown) => ![undefined, null, '', 'undefined', 'null'].includes(value as string)

const names = ['channelKey', 'channelId']

function hasUnknownKey({ query, body }: SentInput): boolean {
  const sent = [query, body].filter(one => typeof one === 'object' && one !== null)
  const values = sent.flatMap(one => names.map(name => (one as Record<string, unknown>)[name]))
  return values.some(value => isPresent(value) && !isChannelKey(value))
}

async function dropUnlessNeeded(service: Service, sent: SentInput, refs: unknown[], isAnyEnough: boolean) {
  const isNamed = await Promise.all(refs.map(ref => isChannel(service, ref)))
  const isIgnored = isAnyEnough ? isNamed.some(Boolean) : isNamed.length > 0 && isNamed.every(Boolean)
  if (isIgnored)
    for (const name of names) for (const one of [sent.query, sent.body]) delete (one as never)?.[name]
}

async function isChannel({ refs }: Service, ref: unknown): Promise<boolean> {
  if (typeof ref !== 'string' || !isUuid(ref)) return false
  const { found } = await refs.check([ref.toLowerCase()])
  return found.length > 0 && resolveRef(found, ref, 1).channelKey !== null
}
