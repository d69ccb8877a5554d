import type { IncomingMessage } from 'node:http'
import Type from 'typebox'
import { meant } from '../../actions/booking/find-ref.ts'
import type { Found, FoundRefs } from '../../db/booking/refs.ts'
import { invalidField } from '../../errors.ts'
import type { RenderedList } from '../../lib/list-cache.ts'
import type { ChannelKey } from '../../rules/offers/channels.ts'
import { isUuid } from '../../rules/references.ts'
import { parseDateOrInstant } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { lineOf } from '../wire/callers/clients.ts'
import { publicRoute, type Route, type Written } from '../wire/route.ts'
import { BookableGroups, ChannelKeyQuery, ProductRef, Refs } from './booking-schemas.ts'
import { distinctRefs } from './distinct-refs.ts'
import { send, writtenFor } from './list-answer.ts'
import { type ListPlan, makeList, mendList, pictureOf, SlotList, type Wanted } from './list-making.ts'
import { tokenOf } from './signed-token.ts'
import { type ListFormats, readPattern } from './slot-list.ts'

export const listQuery = {
  groupFormat: Type.String({
    default: 'yyyy-MM-dd',
    maxLength: 200,
    description: 'Pattern of the groups, such as EEEE d MMMM.',
  }),
  timeFormat: Type.String({
    default: 'yyyy-MM-dd HH:mm',
    maxLength: 200,
    description: 'Pattern of formattedStart and formattedEnd.',
  }),
  languageTag: Type.Optional(
    Type.String({ maxLength: 35, description: 'Of the names of days and months, such as fr.' }),
  ),
  channelKey: ChannelKeyQuery,
  ref: Refs,
  prdRef: ProductRef,
  from: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only slots from this date or date-time on.' }),
  ),
  to: Type.Optional(Type.String({ maxLength: 64, description: 'Only slots before this date or date-time.' })),
}

const list = (method: 'GET' | 'POST'): Route =>
  publicRoute({
    method,
    path: '/resources/:ref/upcoming_bookables',
    operationId: method === 'GET' ? 'listBookables' : 'listBookablesByPost',
    tag: 'C. Booking',
    summary: 'Upcoming bookables',
    description:
      'All slots on offer, grouped by `groupFormat`. `ref` may be repeated for more Resources. `from` and `to` bound the list: dates or date-times, without a zone local to the Provider. 204 when nothing is on offer; `{"public_visible": false}` when the channel is hidden or the Resource archived.',
    query: listQuery,
    replies: { 200: BookableGroups, 204: null, 304: null },
    errors: ['not-found'],
    ...(method === 'GET' ? { answerAtDoor } : {}),
    async handle({ params, query, service, request, reply }) {
      const question = questionOf(params.ref, query)
      const token = tokenOf(request)
      const leaving = token && service.signer.open('move', token)
      const list = await currentList(
        service,
        leaving ? asQuestion({ ...question, leaving }) : question,
        lineOf(request),
        checked.get(request.raw),
      )
      return send(service, list, request, reply)
    },
  })

type ListQuery = Type.Static<Type.TObject<typeof listQuery>>
type AtDoor = {
  params: { ref: string }
  query: ListQuery
  service: Service
  request: IncomingMessage
  write(answer: Written): boolean
}

/** Of requests that could not be answered at the door, what was found out there: the route goes by the same revisions. */
const checked = new WeakMap<IncomingMessage, Promise<FoundRefs>>()

/** Only what is at hand. Whatever else there is to say is said by the route. */
async function answerAtDoor({ params, query, service, request, write }: AtDoor): Promise<boolean> {
  if (tokenOf(request)) return false
  const question = questionOf(params.ref, query)
  const checking = service.refs.check(question.refs)
  let known: Written | null = null
  try {
    const list = keptList(service, question, await checking)
    known = list && (await writtenFor(list, request.headers))
  } catch {
    // What went wrong is for the route to say.
  }
  if (known && write(known)) {
    service.counts.lists.add('kept')
    return true
  }
  checked.set(request, checking)
  return false
}

const questions = new WeakMap<object, Question>()

/** Once for each address, whose query is kept. */
function questionOf(ref: string, query: ListQuery): Question {
  const known = questions.get(query)
  if (known) return known
  const question = asQuestion({ ...query, refs: distinctRefs('ref', [ref, ...query.ref]) })
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
  from?: string
  to?: string
  /** Whoever moves out of this booking sees what they could have instead: it is not in their way. */
  leaving?: string
}

/** With what is made of it whoever asks: the patterns, and its part of the name that its list is kept under. */
type Question = Asked & { formats: ListFormats; name: string; place: Place | null }

/** Where its list is kept, and which picture it must show. As long as the same is found, that stays. */
type Place = { found: Found[]; history: string; wanted: Wanted[]; key: string; picture: string }

export function asQuestion(asked: Asked): Question {
  const { prdRef, groupFormat, timeFormat, languageTag, from, to, leaving } = asked
  const product = prdRef !== undefined && isUuid(prdRef) ? prdRef.toLowerCase() : prdRef
  return {
    ...asked,
    formats: readFormats(asked),
    place: null,
    name: JSON.stringify([product, groupFormat, timeFormat, languageTag, from, to, leaving]),
  }
}

/**
 * The list as it is now. The database is asked at which revision its Resources are, and a list rendered at these
 * revisions is the answer until time alone changes it: never stale, on any number of instances.
 */
export async function currentList(
  service: Service,
  question: Question,
  line: string,
  checking = service.refs.check(question.refs),
): Promise<RenderedList> {
  const found = await checking
  const { now } = found
  const { wanted, key, picture } = placeOf(question, found)
  const keep = (list: RenderedList) => {
    service.lists.set(key, list)
    return list
  }
  const make = async () => {
    const known = service.lists.get(key)
    const mend = () => service.mending.run(line, () => mendList(service, known as SlotList, wanted, now))
    const mended = known instanceof SlotList ? await mend() : null
    if (mended) return keep(mended)
    for (;;) {
      const list = await service.making.run(line, async () => {
        // Whoever had the turn before may have made the very same one.
        const made = keptList(service, question, found)
        if (made || service.outgoing.isTooMuchFor(line)) return made
        return keep(await makeList(service, plan(), wanted))
      })
      if (list) return list
      await service.outgoing.room(line)
    }
  }
  const plan = () => planOf(question, wanted)
  const known = keptList(service, question, found)
  service.counts.lists.add(known ? 'kept' : 'made')
  if (known) return known
  const made = await service.lists.share(`${picture} ${key}`, make)
  // Somebody else's question may have been older than ours: by now time alone may have changed the picture.
  return now < made.validUntil ? made : make()
}

/** The list that is kept for what was found, if it shows just that. */
function keptList({ lists }: Service, question: Question, found: FoundRefs): RenderedList | null {
  const { key, picture } = placeOf(question, found)
  const known = lists.get(key)
  return known && known.picture === picture && found.now < known.validUntil ? known : null
}

function placeOf(question: Question, { found, history }: FoundRefs): Place {
  const known = question.place
  if (known?.history === history && isSame(known.found, found)) return known
  const wanted = wantedResources(question, found, history)
  const [key, picture] = [keyOf(question, wanted, history), pictureOf(wanted)]
  question.place = { found, history, wanted, key, picture }
  return question.place
}

/** What is found again as it was is the very same object. */
const isSame = (one: Found[], other: Found[]) =>
  one.length === other.length && one.every((found, index) => found === other[index])

/** By what the names mean: a list is kept once, however its Resources are spelled. */
function keyOf({ name }: Question, wanted: Wanted[], history: string): string {
  const resources = wanted.map(one => `${one.resourceId} ${one.channelKey}`).join()
  return `${history} ${resources} ${name}`
}

function readFormats({ groupFormat, timeFormat, languageTag }: Asked): ListFormats {
  return {
    group: readPattern('groupFormat', groupFormat),
    time: readPattern('timeFormat', timeFormat),
    groupFormat,
    timeFormat,
    languageTag: languageTag?.replaceAll('_', '-') ?? null,
  }
}

/** Each Resource once, however often and under whatever names it is asked for. */
function wantedResources({ refs, channelKey }: Question, found: Found[], history: string): Wanted[] {
  const wanted = refs.map((ref, index): Wanted => {
    const one = meant(found, ref, index + 1)
    return {
      ref,
      resourceId: one.resourceId,
      providerId: one.providerId,
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

function planOf(question: Question, wanted: Wanted[]): ListPlan {
  const bounds = wanted.map(({ timeZone }) => ({
    from: readBound('from', question.from, timeZone, 0),
    to: readBound('to', question.to, timeZone, Number.POSITIVE_INFINITY),
  }))
  return { formats: question.formats, bounds, prdRef: question.prdRef, leaving: question.leaving }
}

function readBound(field: string, text: string | undefined, timeZone: string, otherwise: number): number {
  if (text === undefined) return otherwise
  const instant = parseDateOrInstant(text, timeZone)
  if (instant === null) throw invalidField(field, `${field} must be a date or an ISO 8601 date-time.`)
  return instant
}
