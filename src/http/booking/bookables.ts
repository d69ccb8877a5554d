import type { IncomingMessage } from 'node:http'
import Type from 'typebox'
import { resolveRef } from '../../actions/booking/resolve-ref.ts'
import type { Found, FoundRefs } from '../../db/booking/refs.ts'
import { invalidField } from '../../errors.ts'
import type { RenderedList } from '../../lib/list-cache.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { isUuid } from '../../rules/references.ts'
import { parseDateOrInstant } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { queueKeyOf } from '../wire/callers/clients.ts'
import { Choice } from '../wire/fields.ts'
import { type KnownResponse, publicRoutes, type Route } from '../wire/route.ts'
import { BookableGroups, ChannelKeyQuery, ProductRef, Refs } from './booking-schemas.ts'
import {
  type ListPlan,
  makeList,
  patchList,
  type RequestedResource,
  SlotList,
  snapshotKey,
} from './build-list.ts'
import { distinctRefs, tenantOf } from './distinct-refs.ts'
import { dropIgnoredChannelKey, refInPath, refsInQuery } from './ignored-channel-key.ts'
import { send, writtenFor } from './list-answer.ts'
import { tokenOf } from './signed-token.ts'
import { type ListFormats, readPattern } from './slot-list.ts'

export const defaultFormats = { groupFormat: 'yyyy-MM-dd', timeFormat: 'yyyy-MM-dd HH:mm' }

export const listQuery = {
  groupFormat: Type.String({
    default: defaultFormats.groupFormat,
    maxLength: 200,
    description: 'Pattern of the groups, such as EEEE d MMMM.',
  }),
  timeFormat: Type.String({
    default: defaultFormats.timeFormat,
    maxLength: 200,
    description: 'Pattern of formattedStart and formattedEnd.',
  }),
  languageTag: Type.Optional(
    Type.String({ maxLength: 35, description: 'Language of day and month names, such as fr.' }),
  ),
  channelKey: ChannelKeyQuery,
  ref: Refs,
  prdRef: ProductRef,
  products: Type.Optional(
    Choice(['ids'], {
      description:
        'With `ids`, all Products are listed once in `products`, and each slot has their positions in that list. Use it where slots have many Products.',
    }),
  ),
  from: Type.Optional(Type.String({ maxLength: 64, description: 'Only slots from this date or date-time.' })),
  to: Type.Optional(Type.String({ maxLength: 64, description: 'Only slots before this date or date-time.' })),
}

const list = (method: 'GET' | 'POST'): Route =>
  publicRoutes('C. Booking')({
    method,
    path: '/resources/:ref/upcoming_bookables',
    operationId: method === 'GET' ? 'listBookables' : 'listBookablesByPost',
    summary: 'Upcoming bookables',
    description:
      'All slots on offer, grouped by `groupFormat`. Repeat `ref` to list several Resources. `from` and `to` limit the period; without an offset, they are in the Provider’s local time. Returns 204 if nothing is on offer, and `{"public_visible": false}` if the channel is hidden or the Resource archived.',
    dropIgnored: dropIgnoredChannelKey({ refs: sent => [...refInPath(sent), ...refsInQuery(sent)] }),
    query: listQuery,
    replies: { 200: BookableGroups, 204: null, 304: null },
    errors: ['not-found'],
    ...(method === 'GET' ? { answerEarly } : {}),
    async handle({ params, query, service, request, reply }) {
      const question = questionOf(params.ref, query)
      const token = tokenOf(request)
      const leaving = token && service.signer.open('move', token)
      const list = await currentList(
        service,
        leaving ? toListRequest({ ...question, leaving }) : question,
        queueKeyOf(request),
        checked.get(request.raw),
      )
      return send(service, list, request, reply)
    },
  })

type ListQuery = Type.Static<Type.TObject<typeof listQuery>>
type EarlyListCall = {
  params: { ref: string }
  query: ListQuery
  service: Service
  request: IncomingMessage
  write(answer: KnownResponse): boolean
}

/** The refs checked early for requests that had no cached response: the route uses the same revisions. */
const checked = new WeakMap<IncomingMessage, Promise<FoundRefs>>()

/** Serves cached lists only. The route handles everything else. */
async function answerEarly({ params, query, service, request, write }: EarlyListCall): Promise<boolean> {
  if (tokenOf(request)) return false
  const question = questionOf(params.ref, query)
  const checking = service.refs.check(question.refs)
  let known: KnownResponse | null = null
  try {
    const list = keptList(service, question, await checking)
    known = list && (await writtenFor(list, request.headers))
  } catch {
    // The route reports the error.
  }
  if (known && write(known)) {
    service.metrics.lists.inc({ how: 'kept' })
    return true
  }
  checked.set(request, checking)
  return false
}

const questions = new WeakMap<object, Question>()

/** Parsed once per URL, whose query object is cached. */
function questionOf(ref: string, query: ListQuery): Question {
  const known = questions.get(query)
  if (known) return known
  const question = toListRequest({ ...query, refs: distinctRefs('ref', [ref, ...query.ref]) })
  questions.set(query, question)
  return question
}

export const listBookables = list('GET')
export const listBookablesByPost = list('POST')

type Asked = {
  refs: string[]
  channelKey: ChannelKey
  groupFormat: string
  timeFormat: string
  languageTag?: string
  prdRef?: string
  products?: 'ids'
  from?: string
  to?: string
  /** The booking that the caller would move: it does not conflict with the listed slots. */
  leaving?: string
}

/** With what is the same for all callers: the patterns, and its part of the cache key. */
type Question = Asked & { formats: ListFormats; name: string; place: Place | null }

/** The cache key of the list and the snapshot that it must show, reused while the refs stay the same. */
type Place = { found: Found[]; history: string; wanted: RequestedResource[]; key: string; snapshot: string }

export function toListRequest(asked: Asked): Question {
  const { prdRef, products, groupFormat, timeFormat, languageTag, from, to, leaving } = asked
  const product = prdRef !== undefined && isUuid(prdRef) ? prdRef.toLowerCase() : prdRef
  return {
    ...asked,
    formats: readFormats(asked),
    place: null,
    name: JSON.stringify([product, products, groupFormat, timeFormat, languageTag, from, to, leaving]),
  }
}

/**
 * The current list. One query returns the revisions of its Resources, and a list rendered at these revisions
 * is valid until time alone changes it: never stale, on any number of instances.
 */
export async function currentList(
  service: Service,
  question: Question,
  line: string,
  checking: Promise<FoundRefs> | FoundRefs = service.refs.check(question.refs),
): Promise<RenderedList> {
  const found = await checking
  service.suspensions.refuseAny(found.found)
  const { now } = found
  const { wanted, key, snapshot } = placeOf(question, found)
  const tenant = tenantOf(wanted)
  const keep = (list: RenderedList) => {
    service.lists.set(key, list)
    return list
  }
  const make = async () => {
    const known = service.lists.get(key)
    const mend = () =>
      service.listPatching.run(line, () => patchList(service, known as SlotList, wanted, now), tenant)
    const patched = known instanceof SlotList ? await mend() : null
    if (patched) return keep(patched)
    for (;;) {
      const list = await service.listBuilding.run(
        line,
        async () => {
          // The request before this one in the queue may have built the same list.
          const made = keptList(service, question, found)
          if (made || service.largeResponses.isTooMuchFor(line)) return made
          return keep(await makeList(service, plan(), wanted))
        },
        tenant,
      )
      if (list) return list
      await service.largeResponses.room(line)
    }
  }
  const plan = () => planOf(question, wanted)
  const known = keptList(service, question, found)
  service.metrics.lists.inc({ how: known ? 'kept' : 'made' })
  if (known) return known
  const made = await service.lists.share(`${snapshot} ${key}`, make)
  // The shared build may have started before this request: time alone may have changed the list by now.
  return now < made.validUntil ? made : make()
}

/** The cached list, if it shows this snapshot. */
function keptList(
  { lists, suspensions }: Service,
  question: Question,
  found: FoundRefs,
): RenderedList | null {
  suspensions.refuseAny(found.found)
  const { key, snapshot } = placeOf(question, found)
  const known = lists.get(key)
  return known && known.snapshot === snapshot && found.now < known.validUntil ? known : null
}

function placeOf(question: Question, { found, history }: FoundRefs): Place {
  const known = question.place
  if (known?.history === history && isSame(known.found, found)) return known
  const wanted = wantedResources(question, found, history)
  const [key, snapshot] = [keyOf(question, wanted, history), snapshotKey(wanted)]
  question.place = { found, history, wanted, key, snapshot }
  return question.place
}

/** The ref checker returns the same objects while nothing has changed. */
const isSame = (one: Found[], other: Found[]) =>
  one.length === other.length && one.every((found, index) => found === other[index])

/** By ids: a list is cached once, however its Resources are spelled. */
function keyOf({ name }: Question, wanted: RequestedResource[], history: string): string {
  const resources = wanted.map(one => `${one.resourceId} ${one.channelKey}`).join()
  return `${history} ${resources} ${name}`
}

function readFormats({ groupFormat, timeFormat, languageTag, products }: Asked): ListFormats {
  return {
    group: readPattern('groupFormat', groupFormat),
    time: readPattern('timeFormat', timeFormat),
    groupFormat,
    timeFormat,
    languageTag: languageTag?.replaceAll('_', '-') ?? null,
    withProductIds: products === 'ids',
  }
}

/** Each Resource once, however often and by whatever names it is requested. */
function wantedResources(
  { refs, channelKey }: Question,
  found: Found[],
  history: string,
): RequestedResource[] {
  const wanted = refs.map((ref, index): RequestedResource => {
    const one = resolveRef(found, ref, index + 1)
    return {
      ref,
      resourceId: one.resourceId,
      providerId: one.providerId,
      crmId: one.crmId,
      channelKey: one.channelKey ?? channelKey,
      revision: one.revision,
      touched: one.touched,
      history,
      timeZone: one.timeZone,
    }
  })
  return wanted.filter(
    (one, index) => wanted.findIndex(other => other.resourceId === one.resourceId) === index,
  )
}

function planOf(question: Question, wanted: RequestedResource[]): ListPlan {
  const bounds = wanted.map(({ timeZone }) => ({
    from: readBound('from', question.from, timeZone, 0),
    to: readBound('to', question.to, timeZone, Number.POSITIVE_INFINITY),
  }))
  return { formats: question.formats, bounds, prdRef: question.prdRef, leaving: question.leaving }
}

function readBound(field: string, text: string | undefined, timeZone: string, otherwise: number): number {
  if (text === undefined) return otherwise
  const instant = parseDateOrInstant(text, timeZone)
  if (instant === null) throw invalidField(field, 'date-or-time:list')
  return instant
}
