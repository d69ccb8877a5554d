import Type from 'typebox'
import { resolveRef } from '../../actions/booking/resolve-ref.ts'
import { type FoundSlot, findSlotRefs, loadOffers, type Offer } from '../../db/booking/offers.ts'
import type { Found, FoundRefs } from '../../db/booking/refs.ts'
import type { PublicProduct } from '../../db/setup/products.ts'
import { findProductsByRefs } from '../../db/setup/products.ts'
import { publicProduct } from '../../entities/product.ts'
import { publicResource } from '../../entities/resource.ts'
import { missingField, Refusal } from '../../errors.ts'
import { acceptedLanguage, languages, spokenLanguage } from '../../languages.ts'
import { emailDeliveries, emailDelivery } from '../../rules/messages/email-delivery.ts'
import { areOnlyBookings } from '../../rules/offers/changed-ranges.ts'
import { bookingProcesses, type ChannelKey } from '../../rules/offers/channels.ts'
import { formatAddress } from '../../rules/people/addresses.ts'
import { shownContact } from '../../rules/people/contacts.ts'
import { forConsumer, inLanguage } from '../../rules/questions/define.ts'
import { logoAddress, themeOf } from '../../rules/theme.ts'
import { toUtcText } from '../../rules/time/time.ts'
import type { Service } from '../../service.ts'
import { Choice, EmailText, Moment, Uuid } from '../wire/fields.ts'
import { publicRoutes } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import {
  ChannelKeyName,
  ChannelKeyQuery,
  FormQuestionView,
  languageTag,
  PhoneFieldName,
  Refs,
} from './booking-schemas.ts'
import { distinctRefs } from './distinct-refs.ts'
import { formFields } from './form-fields.ts'
import { dropIgnoredChannelKey, onlyRefs } from './ignored-channel-key.ts'

const publicRoute = publicRoutes('C. Booking')

const query = { ref: Refs, tslRefs: Refs, channelKey: ChannelKeyQuery, languageTag }

export const PublicProductView = Type.Object(
  {
    uuid: Uuid,
    ref: Type.String(),
    name: Type.String(),
    description: Type.String(),
    detailsPre: Nullable(Type.String()),
    exclusive: Type.Boolean(),
    ...publicProduct.outputs,
    questions: Type.Array(FormQuestionView, {
      description: 'The questions of its booking form, in order and in the language of `languageTag`.',
    }),
  },
  { title: 'PublicProduct' },
)

const Tone = Type.Object(
  { accent: Type.String(), onAccent: Type.String(), fill: Type.String(), onFill: Type.String() },
  { title: 'Tone' },
)

export const PublicData = Type.Object(
  {
    ref: Type.String({ description: 'Use it in later calls.' }),
    contact: Type.Object({
      name: Type.String(),
      email: Nullable(EmailText),
      mobile: Nullable(Type.String()),
      phone: Nullable(Type.String()),
    }),
    resource: Type.Object({
      ...publicResource.outputs,
      contactChannelType: Nullable(Type.String()),
      msgHelpText: Nullable(Type.String()),
      supportedProducts: Type.Array(Uuid),
      address: Nullable(Type.String()),
    }),
    provider: Type.Object({
      name: Type.String(),
      description: Nullable(Type.String()),
      isThemingAllowed: Type.Boolean(),
      isLocalisationAllowed: Type.Boolean(),
      areCustomFieldsAllowed: Type.Boolean(),
      timeZone: Type.String(),
      impressum: Nullable(Type.String()),
      language: Choice(languages),
      phone: Nullable(Type.String({ description: 'A number to call, landline or mobile.' })),
      privacyUrl: Nullable(Type.String()),
      terms: Nullable(Type.String()),
      termsRequired: Type.Boolean(),
      emails: Choice(emailDeliveries, {
        description:
          'Whether consumers get emails: `sent`; `off` without a mail server, so show them the links to keep; `demo` if they can only be read in the console of the demo.',
      }),
      resourceWord: Nullable(Type.String()),
      theme: Nullable(Type.Object({ light: Tone, dark: Tone, logoUrl: Nullable(Type.String()) })),
    }),
    channel: Type.Object({
      uuid: Uuid,
      key: ChannelKeyName,
      visible: Type.Boolean(),
      bookingProcess: Choice(bookingProcesses),
      customersOnly: Type.Boolean({ description: 'Only known customers can book here.' }),
      changeNoticeMinutes: Type.Number({
        description: 'Consumers can cancel or reschedule online until this long before the start.',
      }),
      waitingList: Nullable(
        Type.String({
          description:
            'The page on which consumers join the waiting list; takes the query parameter `product`. Null too if `emails` is `off`, since joining is confirmed by email.',
        }),
      ),
      series: Nullable(
        Type.String({
          description:
            'The page on which consumers book several dates at once; takes the query parameter `product`.',
        }),
      ),
      seriesMax: Type.Integer({ description: 'How many dates can be booked at once; 0 for none.' }),
      phoneField: PhoneFieldName,
      askMessage: Type.Boolean({ description: 'Whether the booking form asks for a message.' }),
    }),
    closures: Type.Array(
      Type.Object({ from: Moment, to: Moment, reason: Type.String() }, { title: 'PublicClosure' }),
      { description: 'Closures with their reasons, up to 400 days ahead.' },
    ),
  },
  { title: 'PublicData' },
)

export const activeProducts = publicRoute({
  method: 'POST',
  path: '/products/active_products',
  operationId: 'listActiveProducts',
  summary: 'Active products',
  description:
    'The Products that the channel offers, for these Resources or for the Resources of these Timeslots and Appointments.',
  query,
  dropIgnored: dropIgnoredChannelKey({ refs: onlyRefs }),
  replies: { 200: Type.Object({ products: Type.Array(PublicProductView) }) },
  errors: ['missing-field', 'not-found'],
  async handle({ query, service }) {
    const { requested } = await requestedOffers(service, query)
    return { products: productsOf(requested, query.languageTag) }
  },
})

export const publicData = publicRoute({
  method: 'POST',
  path: '/resources/public_data',
  operationId: 'getPublicData',
  summary: 'Public data',
  description: 'One object for one ref; for several, an array in the same order.',
  query,
  dropIgnored: dropIgnoredChannelKey({ refs: onlyRefs }),
  replies: { 200: Type.Union([PublicData, Type.Array(PublicData)]) },
  errors: ['missing-field', 'not-found'],
  async handle({ query, service }) {
    const { requested } = await requestedOffers(service, query)
    const views = requested.map(({ ref, offer }) => publicView(service, ref, offer))
    return views.length === 1 ? views[0]! : views
  },
})

export const specificProducts = publicRoute({
  method: 'POST',
  path: '/products/specific_products',
  operationId: 'listSpecificProducts',
  summary: 'Chosen products',
  description: 'Products by reference or uuid, in the same shape as active products.',
  query: { prdRefs: Refs, channelKey: ChannelKeyQuery, languageTag },
  replies: { 200: Type.Array(PublicProductView) },
  errors: ['missing-field'],
  async handle({ query, service }) {
    if (query.prdRefs.length === 0) throw missingField('prdRefs')
    const products = await findProductsByRefs(service.db, distinctRefs('prdRefs', query.prdRefs))
    return products.map(product => productView(product, query.languageTag))
  },
})

const FormField = Type.Object(
  {
    index: Type.Number(),
    title: Type.String(),
    type: Choice(['text', 'textarea', 'checkbox', 'select']),
    format: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer()),
    options: Type.Optional(Type.Array(Type.Object({ title: Type.String(), key: Type.String() }))),
  },
  { title: 'FormField' },
)

export const bookingConfig = publicRoute({
  method: 'GET',
  path: '/products/:uuid/bookingConfig',
  operationId: 'getBookingConfig',
  summary: 'Booking form of a product',
  description:
    'The questions of the Product (reference or uuid) as form fields, in the shape that other widgets read and in the language of Accept-Language. 404 if it has none: widgets then show the default form.',
  replies: { 200: Type.Object({ fields: Type.Record(Type.String(), FormField) }) },
  errors: ['not-found'],
  async handle({ params, service, request, reply }) {
    const [product] = await findProductsByRefs(service.db, [params.uuid])
    const questions = forConsumer(product?.questions ?? [])
    if (!product || questions.length === 0)
      throw new Refusal('not-found', { rule: 'form', name: params.uuid })
    reply.header('vary', 'Accept-Language')
    const language = acceptedLanguage(request.headers['accept-language'])
    return { fields: formFields(questions, language, product.providerLanguage) }
  },
})

export type PublicAnswers = Awaited<ReturnType<typeof publicAnswers>>

/** The same answers at later revisions, which show no Appointments; null if they may have changed. */
export function answersAt(known: PublicAnswers, found: FoundRefs): PublicAnswers | null {
  const before = known.found
  const isAsBefore =
    found.now < known.validUntil &&
    found.history === before.history &&
    found.found.length === before.found.length &&
    found.found.every((one, index) => isSameOffer(before.found[index]!, one))
  return isAsBefore ? { ...known, found } : null
}

const isSameOffer = (known: Found, latest: Found) =>
  latest.resourceId === known.resourceId &&
  latest.position === known.position &&
  latest.rank === known.rank &&
  latest.channelKey === known.channelKey &&
  areOnlyBookings(known.revision, latest)

/** The responses of C4 and C5, for requests that need both, and until when they can be kept. */
export async function publicAnswers(
  service: Service,
  question: Omit<OffersQuery, 'tslRefs'>,
  checking?: Promise<FoundRefs> | FoundRefs,
) {
  const { requested, found } = await requestedOffers(service, { ...question, tslRefs: [] }, checking)
  const places = requested.map(({ ref, offer }) => publicView(service, ref, offer))
  const closures = requested.flatMap(({ offer }) => offer.closures)
  return {
    about: { places, products: productsOf(requested, question.languageTag) },
    found,
    validUntil: nextChange(closures, found.now),
  }
}

/** Every change to what is shown raises a revision, so equal snapshots show the same. */
export const snapshotOf = ({ history, found }: FoundRefs): string =>
  `${history} ${found.map(one => `${one.position}:${one.rank}:${one.resourceId}:${one.revision}:${one.channelKey}`)}`

const hour = 3_600_000

/** Closures begin, end and come into view without a revision; the last of these is a year away and can wait. */
function nextChange(closures: Offer['closures'], now: number): number {
  const ahead = closures.flatMap(({ from, to }) => [from, to]).filter(one => one > now)
  return Math.min(now + hour, ...ahead)
}

/** Each Product that the channel offers, once. */
function productsOf(requested: Asked[], languageTag?: string) {
  const products = requested.flatMap(({ offer, productId }) =>
    offer.visible && !offer.resource.archived
      ? offer.products.filter(one => one.offered && (productId === null || one.id === productId))
      : [],
  )
  return [...new Map(products.map(product => [product.uuid, product])).values()].map(product =>
    productView(product, languageTag),
  )
}

type OffersQuery = { ref: string[]; tslRefs: string[]; channelKey: ChannelKey; languageTag?: string }

type Asked = { ref: string; offer: Offer; productId: number | null }

async function requestedOffers(
  service: Service,
  { channelKey, ...requested }: OffersQuery,
  checking?: Promise<FoundRefs> | FoundRefs,
): Promise<{ requested: Asked[]; found: FoundRefs }> {
  const { db, suspensions } = service
  const refs = distinctRefs('ref', requested.ref)
  const tslRefs = distinctRefs('tslRefs', requested.tslRefs)
  if (refs.length === 0 && tslRefs.length === 0)
    throw missingField('ref', 'one-of', { choices: ['ref', 'tslRefs'] })
  const checked = await (checking ?? service.refs.check(refs))
  const { found } = checked
  suspensions.refuseAny(found)
  const slots = tslRefs.length > 0 ? await findSlotRefs(db, tslRefs) : []
  suspensions.refuseAny(slots)
  const all = [
    ...refs.map((ref, index) => {
      const known = resolveRef(found, ref, index + 1)
      return { ref, resourceId: known.resourceId, channelKey: known.channelKey ?? channelKey, slot: null }
    }),
    ...tslRefs.map((ref, index) => {
      const slot = resolveRef(slots, ref, index + 1, 'Timeslot or Appointment', 'tslRefs')
      return { ref: null, resourceId: slot.resourceId, channelKey, slot }
    }),
  ]
  const wanted = eachOnce(all)
  const offers = await loadOffers(
    db,
    wanted.map(one => ({ ...one, appointmentUuid: one.slot?.appointmentUuid ?? null })),
  )
  const answered = offers.map((offer, index) => ({
    offer,
    ref: wanted[index]!.ref ?? offer.resource.uuid,
    productId: wanted[index]!.slot?.productId ?? null,
  }))
  return { requested: answered, found: checked }
}

type Wanted = { resourceId: number; channelKey: ChannelKey; slot: FoundSlot | null }

/** Each Resource once per channel, and once per Appointment, which may have its own contact. */
function eachOnce<T extends Wanted>(wanted: T[]): T[] {
  const keys = wanted.map(one => [one.resourceId, one.channelKey, one.slot?.appointmentUuid].join())
  return wanted.filter((_, index) => keys.indexOf(keys[index]!) === index)
}

function productView(product: PublicProduct, languageTag?: string) {
  const { providerLanguage } = product
  const language = spokenLanguage(languageTag)
  return {
    uuid: product.uuid,
    ref: product.reference,
    name: product.name,
    description: product.description ?? '',
    detailsPre: product.description,
    exclusive: product.exclusive,
    ...publicProduct.record(product),
    questions: forConsumer(product.questions ?? []).map(one => inLanguage(one, language, providerLanguage)),
  }
}

function publicView(service: Service, ref: string, offer: Offer) {
  const { baseUrl } = service
  const emails = emailDelivery(service, offer.crm)
  const provider = {
    name: offer.providerName,
    email: offer.providerEmail,
    phone: offer.providerPhone,
    mobile: offer.providerMobile,
  }
  const contact = shownContact(offer.contact, provider)
  const value = (type: string) => contact.channels.find(channel => channel.type === type)?.value ?? null
  return {
    ref,
    contact: { name: contact.name, email: value('email'), mobile: value('mobile'), phone: value('phone') },
    resource: {
      ...publicResource.record(offer.resource),
      contactChannelType: contact.channels[0]?.type ?? null,
      msgHelpText: null,
      supportedProducts: offer.products.filter(one => one.offered).map(one => one.uuid),
      address: formatAddress(offer.address as Parameters<typeof formatAddress>[0]),
    },
    provider: {
      name: offer.providerName,
      description: offer.providerDescription,
      isThemingAllowed: true,
      isLocalisationAllowed: true,
      areCustomFieldsAllowed: offer.products.some(one => one.questions !== null),
      timeZone: offer.timeZone,
      impressum: offer.impressum,
      language: offer.language,
      phone: offer.providerPhone ?? offer.providerMobile,
      privacyUrl: offer.privacyUrl,
      terms: offer.terms,
      termsRequired: offer.termsRequired,
      emails,
      resourceWord: offer.resourceWord,
      theme: themeOf({ ...offer, logoUrl: logoAddress(baseUrl, offer.logoUrl) }),
    },
    channel: {
      uuid: offer.channelUuid,
      key: offer.channelKey,
      visible: offer.visible,
      bookingProcess: offer.bookingProcess,
      customersOnly: offer.customersOnly,
      changeNoticeMinutes: offer.changeNoticeMinutes,
      // Joining is confirmed in an email.
      waitingList:
        offer.waitingList && emails !== 'off' ? `${baseUrl}/book/${offer.channelUuid}/waiting` : null,
      series: offer.seriesMax > 1 ? `${baseUrl}/book/${offer.channelUuid}/series` : null,
      seriesMax: offer.seriesMax,
      phoneField: offer.phoneField,
      askMessage: offer.askMessage,
    },
    closures: offer.closures.map(({ from, to, reason }) => ({
      from: toUtcText(from),
      to: toUtcText(to),
      reason,
    })),
  }
}
