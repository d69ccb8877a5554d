import Type from 'typebox'
import { crmOfRef } from '../../actions/booking/resolve-ref.ts'
import { reserveSeries as reserve } from '../../actions/booking/series/reserve-series.ts'
import { notAfterStart } from '../../errors.ts'
import { isUuid } from '../../rules/references.ts'
import { readPeriod } from '../../rules/time/read-times.ts'
import { toUtcText } from '../../rules/time/time.ts'
import { clientOf } from '../wire/callers/clients.ts'
import { Choice, Moment, Uuid } from '../wire/fields.ts'
import { publicRoutes } from '../wire/route.ts'
import { Nullable, Wrapped, wrap } from '../wire/wrapper.ts'
import { ReserveSeriesBody } from './booking-bodies.ts'
import { ChannelKeyQuery } from './booking-schemas.ts'
import { dropIgnoredChannelKey, refInPath } from './ignored-channel-key.ts'
import { zoneFor } from './read-times.ts'

const times = { start: Moment, end: Moment }

const HeldDate = Type.Object(
  {
    date: Type.Unsafe<string>({ ...Moment, description: 'The start by the rule.' }),
    ...times,
    state: Choice(['held', 'taken']),
    placeholder_id: Nullable(Uuid),
    timeslot_uuid: Nullable(Uuid),
    expiresAt: Nullable(Moment),
    nearest: Type.Array(Type.Object({ ...times, timeslot_uuid: Uuid }), {
      description: 'If it is taken: up to three free times near it, the nearest first.',
    }),
  },
  { title: 'HeldSeriesDate' },
)

export const reserveSeries = publicRoutes('C. Booking')({
  method: 'POST',
  path: '/resources/:ref/reserve_series',
  operationId: 'reserveSeries',
  summary: 'Reserve a series',
  description:
    'Holds each date of a rule that is free, where the channel allows series (`seriesMax`). All of them count as one hold. Complete the chosen ones with `placeholder_ids`; the others expire, or are released.',
  dropIgnored: dropIgnoredChannelKey({ refs: refInPath }),
  query: { channelKey: ChannelKeyQuery },
  body: ReserveSeriesBody,
  replies: { 200: Wrapped({ timeZone: Type.String(), dates: Type.Array(HeldDate) }) },
  errors: ['not-found', '201', 'channel-hidden'],
  limit: 'reserve',
  crmOf: crmOfRef,
  isShedUnderLoad: true,
  async handle({ params, query, body, service, request }) {
    const zone = await zoneFor(service, params.ref, body.from + body.to)
    const { from, to } = readPeriod({ from: body.from, to: body.to }, zone)
    if (to <= from) throw notAfterStart('to', 'from')
    const { loaded, dates } = await reserve(service, {
      refs: [params.ref],
      channelKey: query.channelKey,
      timeslotUuid: body.timeslot_uuid,
      productUuid: body.product_uuid,
      start: from,
      end: to,
      rule: body.rule,
      instead: await Promise.all(
        (body.instead ?? []).map(async ({ date, from }, index) => {
          const own = await zoneFor(service, params.ref, date + from)
          const read = readPeriod({ date, from }, own, `instead.${index}.`)
          return { date: read.date, start: read.from }
        }),
      ),
      replaced: (body.placeholder_ids ?? []).filter(isUuid),
      places: body.place_count ?? 1,
      client: clientOf(service, request),
    })
    service.metrics.holds.inc({ kind: 'new' })
    const spanOf = ({ start, end }: { start: number; end: number }) => ({
      start: toUtcText(start),
      end: toUtcText(end),
    })
    return wrap({
      timeZone: loaded.provider.timeZone,
      dates: dates.map(({ hold, nearest, ...date }) => ({
        date: toUtcText(date.date),
        ...spanOf(date),
        state: hold ? ('held' as const) : ('taken' as const),
        placeholder_id: hold?.placeholder ?? null,
        timeslot_uuid: hold?.timeslotUuid ?? null,
        expiresAt: hold ? toUtcText(hold.expiresAt) : null,
        nearest: nearest.map(one => ({ ...spanOf(one), timeslot_uuid: one.timeslotUuid })),
      })),
    })
  },
})
