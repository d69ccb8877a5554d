import Type from 'typebox'
import { mobileKeyAt } from '../../actions/booking/resolve-booker.ts'
import { crmOfRef } from '../../actions/booking/resolve-ref.ts'
import { joinList } from '../../actions/booking/waiting/join.ts'
import { missingField } from '../../errors.ts'
import { regionalTag, spokenLanguage } from '../../languages.ts'
import { readChannelKey } from '../../rules/offers/channels.ts'
import { DateInput, wishFields } from '../scheduling/waiting-list.ts'
import { clientOf } from '../wire/callers/clients.ts'
import { Choice, Email, Optional, OptionalText, Text, Url } from '../wire/fields.ts'
import { publicRoutes } from '../wire/route.ts'
import { Wrapped, wrap } from '../wire/wrapper.ts'
import { ConsumerZone, PlaceCount, zoneNamed } from './booking-bodies.ts'
import { dropIgnoredChannelKey, refInPath } from './ignored-channel-key.ts'

const JoinInput = Type.Object(
  {
    product_uuid: Text(100),
    ...wishFields,
    from: DateInput,
    to: DateInput,
    email: Email,
    firstname: Text(255),
    lastname: Text(255),
    mobile: OptionalText(100),
    message: OptionalText(1023),
    locale: OptionalText(35),
    timeZone: ConsumerZone,
    channelKey: OptionalText(100),
    place_count: PlaceCount,
    refs: Optional(
      Type.Array(Type.String({ maxLength: 300 }), {
        maxItems: 50,
        description: 'Other Resources of the Provider that would do as well.',
      }),
    ),
  },
  { title: 'JoinWaitingListInput' },
)

export const joinWaitingList = publicRoutes('C. Booking')({
  method: 'POST',
  path: '/resources/:ref/waiting_list',
  operationId: 'joinWaitingList',
  summary: 'Join the waiting list',
  description:
    'Where the channel has a waiting list. The entry counts once the consumer has confirmed it through the link in the email. The response is the same for people who wait already. Without a mail server (`provider.emails` is `off`), it is refused with the rule `no-email`.',
  dropIgnored: dropIgnoredChannelKey({ refs: refInPath }),
  body: JoinInput,
  replies: {
    201: Wrapped({
      entry: Type.Object({ state: Choice(['UNCONFIRMED']), leaveLink: Url }, { title: 'JoinedWaitingList' }),
    }),
  },
  errors: ['not-found', 'not-invited', 'channel-hidden'],
  limit: 'waiting',
  crmOf: crmOfRef,
  async handle({ params, body, service, request }) {
    if (body.email.trim() === '') throw missingField('email')
    const { leaveLink } = await joinList(service, {
      refs: [params.ref, ...(body.refs ?? [])],
      channelKey: readChannelKey(body.channelKey),
      productUuid: body.product_uuid,
      from: body.from,
      to: body.to,
      weekdays: body.weekdays ?? null,
      timeFrom: body.timeFrom ?? null,
      timeTo: body.timeTo ?? null,
      contact: {
        email: body.email.trim(),
        firstName: body.firstname.trim(),
        lastName: body.lastname.trim(),
        mobile: body.mobile?.trim() || null,
        mobileKey: await mobileKeyAt(service, params.ref, body.mobile?.trim() || null),
        language: spokenLanguage(body.locale),
      },
      note: body.message?.trim() || null,
      places: body.place_count ?? 1,
      locale: regionalTag(body.locale),
      timeZone: zoneNamed(body.timeZone),
      client: clientOf(service, request),
    })
    return wrap({ entry: { state: 'UNCONFIRMED' as const, leaveLink } })
  },
})
