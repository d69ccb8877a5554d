import Type from 'typebox'
import { openProvider } from '../../../actions/console/open-provider.ts'
import {
  changeBookingSettings,
  changeChannel,
  changeChannels,
  changeProvider,
  saveLogo,
} from '../../../actions/console/settings.ts'
import {
  type ChannelRecord,
  listChannels,
  listExceptions,
  readBookingSettings,
} from '../../../db/setup/channels.ts'
import { listProviders, type ProviderRow } from '../../../db/setup/providers.ts'
import { pick } from '../../../entities/entity.ts'
import { provider } from '../../../entities/provider.ts'
import { notFound } from '../../../errors.ts'
import { languages } from '../../../languages.ts'
import { type BusinessSettings, bookingSettings } from '../../../rules/offers/booking-settings.ts'
import { bookingProcesses, type ChannelKey, channelKeys } from '../../../rules/offers/channels.ts'
import { maxOnForm } from '../../../rules/questions/check-definition.ts'
import { logoAddress, themeOf } from '../../../rules/theme.ts'
import type { Service } from '../../../service.ts'
import { ChannelKeyName, PhoneFieldName } from '../../booking/booking-schemas.ts'
import {
  Choice,
  Email,
  Optional,
  OptionalText,
  ruleText,
  Text,
  TimeZoneInput,
  Uuid,
} from '../../wire/fields.ts'
import { IfMatch, ifUnchanged, withEtag } from '../../wire/if-match.ts'
import { consoleRoute } from '../../wire/route.ts'
import { Nullable } from '../../wire/wrapper.ts'
import { providerInPath, resourceInPath } from '../subjects.ts'

const Tone = Type.Object(
  { accent: Type.String(), onAccent: Type.String(), fill: Type.String(), onFill: Type.String() },
  { title: 'ThemeTone' },
)
const Theme = Type.Object(
  { light: Tone, dark: Tone, logoUrl: Nullable(Type.String()) },
  {
    title: 'Theme',
    description:
      'Colours as shown: on fills as chosen, in links and lines darker or lighter if contrast needs it.',
  },
)

const { branch: _, subbranch: _sub, ...shown } = provider.outputs
const ProviderSettings = Type.Object({ ...shown, theme: Nullable(Theme) }, { title: 'ProviderSettings' })

const { reference: _reference, branch: _branch, subbranch: _subbranch, ...settings } = provider.changes
const ProviderChange = Type.Partial(Type.Object(settings), { title: 'ProviderChange' })

const BookingProcess = Choice(bookingProcesses)

const Questions = Type.Array(Type.String({ maxLength: 50 }), {
  maxItems: maxOnForm,
  description: 'Keys of the questions that Products without questions of their own ask, in order.',
})

const settingViews = {
  customersOnly: Type.Boolean(),
  bookingProcess: BookingProcess,
  minimumNoticeMinutes: Type.Number(),
  horizonDays: Nullable(Type.Number()),
  showFull: Type.Boolean(),
  reminderHours: Type.Number(),
  changeNoticeMinutes: Type.Number({
    description: 'Consumers can cancel or reschedule until this long before the start.',
  }),
  waitingList: Type.Boolean({ description: 'Consumers may join the waiting list.' }),
  seriesMax: Type.Integer({ description: 'How many dates consumers may book at once. 0 for none.' }),
  agentBooking: Type.Boolean({
    description: 'Agents with a key of scope `agent` may book without the person’s confirmation.',
  }),
  agentHoldMinutes: Type.Integer({
    description: 'How long a time that an agent proposes is held until the person confirms.',
  }),
  phoneField: PhoneFieldName,
  askMessage: Type.Boolean({ description: 'Whether the booking form asks for a message.' }),
}

const SettingNames = Type.Array(Choice(bookingSettings, { title: 'BookingSetting' }), { maxItems: 20 })

const ChannelSettings = Type.Object(
  {
    uuid: Uuid,
    key: ChannelKeyName,
    visible: Type.Boolean(),
    products: Nullable(Type.Array(Uuid)),
    ...settingViews,
    inherited: { ...SettingNames, description: 'Settings that follow those of the business.' },
  },
  { title: 'Channel' },
)

const settingInputs = {
  customersOnly: Type.Boolean(),
  bookingProcess: BookingProcess,
  minimumNoticeMinutes: Type.Integer({ minimum: 0, maximum: 525_600 }),
  horizonDays: Nullable(Type.Integer({ minimum: 1, maximum: 3650 })),
  showFull: Type.Boolean(),
  reminderHours: Type.Integer({ minimum: 0, maximum: 720 }),
  changeNoticeMinutes: Type.Integer({ minimum: 0, maximum: 525_600 }),
  waitingList: Type.Boolean(),
  seriesMax: Type.Integer({ minimum: 0, maximum: 50 }),
  agentBooking: Type.Boolean(),
  agentHoldMinutes: Type.Integer({ minimum: 5, maximum: 1440 }),
  phoneField: PhoneFieldName,
  askMessage: Type.Boolean(),
}

const ChannelChange = Type.Partial(
  Type.Object({
    visible: Type.Boolean(),
    products: Nullable(Type.Array(Type.String(), { maxItems: 1000 })),
    ...settingInputs,
    inherited: {
      ...SettingNames,
      description:
        'All settings that follow those of the business; the others become the channel’s own. Comes before values in the same body.',
    },
  }),
  { title: 'ChannelChange' },
)

const BookingSettingsView = Type.Object(
  {
    ...settingViews,
    questions: Questions,
    exceptions: Type.Array(
      Type.Object(
        { resourceUuid: Uuid, channelKey: ChannelKeyName, settings: SettingNames },
        { title: 'BookingException' },
      ),
      { description: 'Channels that have some of these settings otherwise.' },
    ),
  },
  { title: 'BookingSettings' },
)

const BookingSettingsChange = Type.Partial(Type.Object({ ...settingInputs, questions: Questions }), {
  title: 'BookingSettingsChange',
})

export const getProviders = consoleRoute({
  method: 'GET',
  path: '/console/api/providers',
  operationId: 'listProviders',
  access: { right: 'see-calendar', whose: 'everywhere', scope: 'settings' },
  summary: 'Providers',
  description: 'Providers the caller may see: all for operators, their own for staff.',
  replies: { 200: Type.Object({ providers: Type.Array(ProviderSettings) }) },
  async handle({ service, found }) {
    const providers = await listProviders(service.db, found)
    return { providers: providers.map(settingsOf(service)) }
  },
})

export const addProvider = consoleRoute({
  method: 'POST',
  path: '/console/api/providers',
  operationId: 'addProvider',
  access: { right: 'crm', whose: 'login' },
  summary: 'Add a Provider',
  description:
    'For administrators and operators. The owner is the User with this email, or a new one. Administrators can only name their own `crm`. If omitted, the only CRM is used (the demo aside), or one called `main` is created.',
  body: Type.Object(
    {
      name: Text(),
      ownerName: Text(),
      ownerEmail: Email,
      crm: OptionalText(100),
      slug: provider.inputs.slug,
      timeZone: Optional(TimeZoneInput),
      language: Optional(Choice(languages)),
    },
    { title: 'NewProvider' },
  ),
  replies: { 201: ProviderSettings },
  errors: ['scope', 'not-found', 'address-taken'],
  handle: async ({ body, caller, service }) => settingsOf(service)(await openProvider(service, caller, body)),
})

export const getProviderSettings = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid',
  operationId: 'getProviderSettings',
  access: { right: 'see-calendar', whose: providerInPath, isFiltered: true, scope: 'settings' },
  summary: 'Get a Provider',
  description: '`PATCH` accepts the ETag as If-Match.',
  replies: { 200: ProviderSettings },
  handle: async ({ service, reply, found }) => withEtag(reply, settingsOf(service)(found)),
})

export const patchProvider = consoleRoute({
  method: 'PATCH',
  path: '/console/api/providers/:uuid',
  operationId: 'updateProvider',
  access: { right: 'manage', whose: providerInPath, scope: 'settings' },
  summary: 'Change a Provider',
  description:
    'For owners, managers and administrators. Changes only the fields that are sent; null clears an optional field. The latest 20 former slugs keep leading to the new one.',
  headers: IfMatch,
  body: ProviderChange,
  replies: { 200: ProviderSettings },
  errors: ['address-taken'],
  async handle({ body, service, request, reply, context }) {
    const change = { ...body, ...(body.accentColor && { accentColor: body.accentColor.toLowerCase() }) }
    const check = ifUnchanged(request, settingsOf(service))
    const saved = await changeProvider(context, change, check)
    return withEtag(reply, settingsOf(service)(saved))
  },
})

export const putLogo = consoleRoute({
  method: 'PUT',
  path: '/console/api/providers/:uuid/logo',
  operationId: 'putLogo',
  access: { right: 'manage', whose: providerInPath, scope: 'settings' },
  summary: 'Upload a logo',
  description:
    'For owners, managers and administrators. An image of up to 256 KB, which the service stores and serves: `logoUrl` points to it. To remove it, set `logoUrl` to null.',
  headers: IfMatch,
  body: Type.Object(
    {
      data: Type.String({
        minLength: 1,
        maxLength: 800_000,
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        ...ruleText('be an image (PNG, JPEG, WebP or GIF) in Base64'),
      }),
    },
    { title: 'LogoInput' },
  ),
  replies: { 200: ProviderSettings },
  async handle({ body, service, request, reply, context }) {
    const check = ifUnchanged(request, settingsOf(service))
    const bytes = Buffer.from(body.data, 'base64')
    const saved = await saveLogo(context, bytes, check)
    return withEtag(reply, settingsOf(service)(saved))
  },
})

export const getBookingSettings = consoleRoute({
  method: 'GET',
  path: '/console/api/providers/:uuid/booking',
  operationId: 'getBookingSettings',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'Get the booking settings of a business',
  description: 'They hold for all channels of all Resources, except where `exceptions` names a setting.',
  replies: { 200: BookingSettingsView },
  async handle({ service, reply, found }) {
    const settings = await readBookingSettings(service.db, found.id)
    return {
      ...withEtag(reply, settings),
      exceptions: await listExceptions(service.db, found.id),
    }
  },
})

export const patchBookingSettings = consoleRoute({
  method: 'PATCH',
  path: '/console/api/providers/:uuid/booking',
  operationId: 'updateBookingSettings',
  access: { right: 'settings', whose: providerInPath, scope: 'settings' },
  summary: 'Change the booking settings of a business',
  description:
    'Reaches every channel that follows the business in the settings that are sent. Null in `horizonDays` means no limit. 0 in `reminderHours` means no reminder.',
  headers: IfMatch,
  body: BookingSettingsChange,
  replies: { 200: BookingSettingsView },
  async handle({ body, service, request, reply, found, context }) {
    const check = ifUnchanged(request, (settings: BusinessSettings) => settings)
    const saved = await changeBookingSettings(context, body, check)
    return { ...withEtag(reply, saved), exceptions: await listExceptions(service.db, found.id) }
  },
})

export const getChannels = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid/channels',
  operationId: 'listChannels',
  access: { right: 'settings', whose: resourceInPath, scope: 'settings' },
  summary: 'List channels of a Resource',
  description: 'The four ways to book the Resource, with their settings.',
  replies: { 200: Type.Object({ channels: Type.Array(ChannelSettings) }) },
  handle: async ({ service, found: resource }) => ({
    channels: (await listChannels(service.db, resource.id)).map(channelSettings),
  }),
})

export const getChannel = consoleRoute({
  method: 'GET',
  path: '/console/api/resources/:uuid/channels/:channelKey',
  operationId: 'getChannel',
  access: { right: 'settings', whose: resourceInPath, scope: 'settings' },
  summary: 'Get a channel of a Resource',
  description: 'Settings of one of the four ways to book the Resource.',
  replies: { 200: ChannelSettings },
  async handle({ params, service, reply, found: resource }) {
    const channels = await listChannels(service.db, resource.id)
    const channel = channels.find(one => one.key === params.channelKey)
    if (!channel) throw notFound('Channel', params.channelKey)
    return withEtag(reply, channelSettings(channel))
  },
})

export const patchChannel = consoleRoute({
  method: 'PATCH',
  path: '/console/api/resources/:uuid/channels/:channelKey',
  operationId: 'updateChannel',
  access: { right: 'settings', whose: resourceInPath, scope: 'settings' },
  summary: 'Change a channel',
  description:
    '`products` are uuids; null means all. A setting that is sent becomes the channel’s own, until `inherited` names it again. Null in `horizonDays` means no limit. 0 in `reminderHours` means no reminder.',
  headers: IfMatch,
  body: ChannelChange,
  replies: { 200: ChannelSettings },
  async handle({ params, body, caller, service, request, reply, found: resource }) {
    const key = params.channelKey as ChannelKey
    if (!channelKeys.includes(key)) throw notFound('Channel', key)
    const check = ifUnchanged(request, channelSettings)
    const saved = await changeChannel(service, caller.actor, resource, key, body, check)
    return withEtag(reply, channelSettings(saved))
  },
})

export const patchChannels = consoleRoute({
  method: 'PATCH',
  path: '/console/api/resources/:uuid/channels',
  operationId: 'updateChannels',
  access: { right: 'settings', whose: resourceInPath, scope: 'settings' },
  summary: 'Change all channels of a Resource',
  description: 'Applies the same change to all four channels; takes the same body as `PATCH` of one channel.',
  body: ChannelChange,
  replies: { 200: Type.Object({ channels: Type.Array(ChannelSettings) }) },
  async handle({ body, caller, service, found: resource }) {
    const saved = await changeChannels(service, caller.actor, resource, channelKeys, body)
    return { channels: saved.map(channelSettings) }
  },
})

const settingsOf =
  ({ baseUrl }: Service) =>
  (row: ProviderRow) => {
    const shown = { ...row, logoUrl: logoAddress(baseUrl, row.logoUrl) }
    const { branch: _, subbranch: _sub, ...rest } = provider.record(shown)
    return { ...rest, theme: themeOf(shown) }
  }

function channelSettings(channel: ChannelRecord) {
  return {
    uuid: channel.uuid,
    key: channel.key,
    visible: channel.visible,
    products: channel.productUuids,
    ...pick(channel, bookingSettings),
    inherited: channel.inherited,
  }
}
