import Type from 'typebox'
import { changeChannel, changeProduct, changeProvider } from '../../actions/console/settings.ts'
import { type ChannelRecord, listChannels } from '../../db/setup/channels.ts'
import { findProductByUuid, type ProductRow } from '../../db/setup/products.ts'
import { listProviders, type ProviderRow } from '../../db/setup/providers.ts'
import { notFound } from '../../errors.ts'
import { languages } from '../../languages.ts'
import { bookingProcesses, type ChannelKey, channelKeys } from '../../rules/channels.ts'
import { ChannelKeyName } from '../booking/booking-schemas.ts'
import { ProductRecord, productRecord } from '../setup/products.ts'
import {
  Choice,
  Email,
  longText,
  Minutes,
  must,
  Optional,
  OptionalText,
  Text,
  Uuid,
  WebAddress,
} from '../wire/fields.ts'
import { answer, consoleRoute } from '../wire/route.ts'
import { Nullable } from '../wire/wrapper.ts'
import { providerOf, resourceOf, visible } from './visible.ts'

const Buffer = Type.Integer({ minimum: 0, maximum: 10_080 })

const AccentColor = Type.String({
  pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
  ...must('be a colour such as #0b6e69'),
})
const LogoUrl = Type.String({
  maxLength: 2000,
  pattern: '^https://[^\\s"\'<>\\\\]+$',
  ...must('be an address that begins with https://'),
})

const ProviderSettings = Type.Object(
  {
    uuid: Uuid,
    reference: Type.String(),
    name: Type.String(),
    email: Nullable(Type.String()),
    mobile: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    impressum: Nullable(Type.String()),
    description: Nullable(Type.String()),
    timeZone: Type.String(),
    language: Choice(languages),
    preIdentification: Type.Boolean({
      description: 'Known customers may be greeted with their masked name.',
    }),
    accentColor: Nullable(Type.String()),
    logoUrl: Nullable(Type.String()),
    privacyUrl: Nullable(Type.String()),
    terms: Nullable(Type.String()),
    termsRequired: Type.Boolean({ description: 'Consumers must agree to the terms before they book.' }),
    resourceWord: Nullable(
      Type.String({ description: 'What its Resources are to consumers, such as Doctor or Room.' }),
    ),
  },
  { title: 'ProviderSettings' },
)

const BookingProcess = Choice(bookingProcesses)

const ChannelSettings = Type.Object(
  {
    uuid: Uuid,
    key: ChannelKeyName,
    visible: Type.Boolean(),
    customersOnly: Type.Boolean(),
    bookingProcess: BookingProcess,
    products: Nullable(Type.Array(Uuid)),
    minimumNoticeMinutes: Type.Number(),
    horizonDays: Nullable(Type.Number()),
    showFull: Type.Boolean(),
    reminderHours: Type.Number(),
  },
  { title: 'Channel' },
)

export const getProviders = consoleRoute({
  method: 'GET',
  path: '/console/api/providers',
  scope: 'settings',
  operationId: 'listProviders',
  tag: 'Console',
  summary: 'Providers',
  description: 'Those that the caller may see: all for operators, their own for staff.',
  replies: { 200: Type.Object({ providers: Type.Array(ProviderSettings) }) },
  async handle({ caller, service }) {
    const providers = await listProviders(service.db, caller.providerIds)
    return answer(200, { providers: providers.map(providerSettings) })
  },
})

export const patchProvider = consoleRoute({
  method: 'PATCH',
  path: '/console/api/providers/:uuid',
  scope: 'settings',
  operationId: 'updateProvider',
  tag: 'Console',
  summary: 'Change a Provider',
  description: 'Only the fields sent change; null clears an optional one.',
  body: Type.Partial(
    Type.Object({
      name: Text(),
      email: Optional(Email),
      mobile: OptionalText(100),
      phone: OptionalText(100),
      impressum: OptionalText(longText),
      description: OptionalText(longText),
      timeZone: Text(100),
      language: Choice(languages),
      preIdentification: Type.Boolean(),
      accentColor: Optional(AccentColor),
      logoUrl: Optional(LogoUrl),
      privacyUrl: Optional(WebAddress),
      terms: OptionalText(longText),
      termsRequired: Type.Boolean(),
      resourceWord: OptionalText(60),
    }),
    { title: 'ProviderChange' },
  ),
  replies: { 200: ProviderSettings },
  errors: ['not-found'],
  async handle({ params, body, caller, service }) {
    const provider = await providerOf(service, caller, params.uuid)
    const {
      timeZone,
      accentColor,
      logoUrl,
      preIdentification,
      privacyUrl,
      termsRequired,
      resourceWord,
      ...rest
    } = body
    const renamed = {
      time_zone: timeZone,
      accent_color: accentColor?.toLowerCase() ?? accentColor,
      logo_url: logoUrl,
      pre_identification: preIdentification,
      privacy_url: privacyUrl,
      terms_required: termsRequired,
      resource_word: resourceWord,
    }
    const change = { ...rest, ...onlyGiven(renamed) }
    return answer(200, providerSettings(await changeProvider(service, caller.actor, provider, change)))
  },
})

export const patchProduct = consoleRoute({
  method: 'PATCH',
  path: '/console/api/products/:uuid',
  scope: 'settings',
  operationId: 'updateProduct',
  tag: 'Console',
  summary: 'Change a Product',
  description: 'Buffers concern Appointments made from now on.',
  body: Type.Partial(
    Type.Object({
      name: Text(),
      description: OptionalText(longText),
      minDuration: Optional(Minutes),
      maxDuration: Optional(Minutes),
      leadTimeMinutes: Nullable(Buffer),
      followUpTimeMinutes: Nullable(Buffer),
    }),
    { title: 'ProductChange' },
  ),
  replies: { 200: ProductRecord },
  errors: ['not-found'],
  async handle({ params, body, caller, service }) {
    const product = await visible(
      'Product',
      params.uuid,
      caller,
      row => row.provider_id,
      () => findProductByUuid(service.db, params.uuid),
    )
    const saved = await changeProduct(service, caller.actor, product, productChange(body))
    return answer(200, productRecord(saved))
  },
})

export const getChannels = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid/channels',
  scope: 'settings',
  operationId: 'listChannels',
  tag: 'Console',
  summary: 'Channels of a Resource',
  description: 'The four ways in which the Resource can be booked, with their settings.',
  replies: { 200: Type.Object({ channels: Type.Array(ChannelSettings) }) },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const resource = await resourceOf(service, caller, params.uuid)
    return answer(200, { channels: (await listChannels(service.db, resource.id)).map(channelSettings) })
  },
})

export const getChannel = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid/channels/:channelKey',
  scope: 'settings',
  operationId: 'getChannel',
  tag: 'Console',
  summary: 'One channel of a Resource',
  description: 'The settings of one of the four ways in which the Resource can be booked.',
  replies: { 200: ChannelSettings },
  errors: ['not-found'],
  async handle({ params, caller, service }) {
    const resource = await resourceOf(service, caller, params.uuid)
    const channels = await listChannels(service.db, resource.id)
    const channel = channels.find(one => one.key === params.channelKey)
    if (!channel) throw notFound('Channel', params.channelKey)
    return answer(200, channelSettings(channel))
  },
})

export const patchChannel = consoleRoute({
  method: 'PATCH',
  path: '/console/api/resources/:uuid/channels/:channelKey',
  scope: 'settings',
  operationId: 'updateChannel',
  tag: 'Console',
  summary: 'Change a channel',
  description:
    '`products` are uuids, null means all. `horizonDays` null means no end. `reminderHours` 0 means none.',
  body: Type.Partial(
    Type.Object({
      visible: Type.Boolean(),
      customersOnly: Type.Boolean(),
      bookingProcess: BookingProcess,
      products: Nullable(Type.Array(Type.String(), { maxItems: 1000 })),
      minimumNoticeMinutes: Type.Integer({ minimum: 0, maximum: 525_600 }),
      horizonDays: Nullable(Type.Integer({ minimum: 1, maximum: 3650 })),
      showFull: Type.Boolean(),
      reminderHours: Type.Integer({ minimum: 0, maximum: 720 }),
    }),
    { title: 'ChannelChange' },
  ),
  replies: { 200: ChannelSettings },
  errors: ['not-found'],
  async handle({ params, body, caller, service }) {
    const resource = await resourceOf(service, caller, params.uuid)
    if (!channelKeys.includes(params.channelKey as ChannelKey)) throw notFound('Channel', params.channelKey)
    const saved = await changeChannel(service, caller.actor, resource, params.channelKey as ChannelKey, body)
    return answer(200, channelSettings(saved))
  },
})

function productChange(body: {
  minDuration?: number | null
  maxDuration?: number | null
  leadTimeMinutes?: number | null
  followUpTimeMinutes?: number | null
  name?: string
  description?: string | null
}): Partial<ProductRow> {
  const { minDuration, maxDuration, leadTimeMinutes, followUpTimeMinutes, name, description } = body
  const change = {
    name,
    description,
    min_duration: minDuration,
    max_duration: maxDuration,
    lead_minutes: leadTimeMinutes,
    follow_up_minutes: followUpTimeMinutes,
  }
  return onlyGiven(change)
}

function onlyGiven<T extends object>(change: T): Partial<T> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>
}

function providerSettings(provider: ProviderRow) {
  const { uuid, reference, name, email, mobile, phone, impressum, description, language } = provider
  return {
    uuid,
    reference,
    name,
    email,
    mobile,
    phone,
    impressum,
    description,
    timeZone: provider.time_zone,
    language,
    accentColor: provider.accent_color,
    logoUrl: provider.logo_url,
    privacyUrl: provider.privacy_url,
    terms: provider.terms,
    termsRequired: provider.terms_required,
    resourceWord: provider.resource_word,
    preIdentification: provider.pre_identification,
  }
}

function channelSettings(channel: ChannelRecord) {
  return {
    uuid: channel.uuid,
    key: channel.key,
    visible: channel.visible,
    customersOnly: channel.customers_only,
    bookingProcess: channel.booking_process,
    products: channel.product_uuids,
    minimumNoticeMinutes: channel.minimum_notice_minutes,
    horizonDays: channel.horizon_days,
    showFull: channel.show_full,
    reminderHours: channel.reminder_hours,
  }
}
