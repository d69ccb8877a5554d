import { beforeEach, describe, expect, it } from 'vitest'
import { createKey } from '../../src/actions/setup/keys.ts'
import { bookingSettings } from '../../src/rules/offers/booking-settings.ts'
import {
  makeAppointment,
  makePractice,
  makeProduct,
  makeResource,
  makeTimeslot,
  type Practice,
} from '../support/build.ts'
import { smallPicture } from '../support/pictures.ts'
import { expectRefusal } from '../support/refusals.ts'
import { type Answer, call, consoleCall, useService } from '../support/service.ts'

let practice: Practice
const holdfast = await useService()
beforeEach(async () => {
  practice = await makePractice(holdfast.crm)
})

type Body = Record<string, Answer['body']>

const unknownUuid = '00000000-0000-4000-8000-000000000000'
const patch = (path: string, body: unknown) => consoleCall(holdfast.app, 'PATCH', path, body)
const get = (path: string) => consoleCall(holdfast.app, 'GET', path)

async function revisionOf(uuid: string): Promise<number> {
  const rows = await holdfast.query('select revision from resource where uuid = $1', [uuid])
  return rows[0].revision
}

/** How much the work raises the revision of each of the Resources. */
async function raised(uuids: string[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await Promise.all(uuids.map(revisionOf))
  await work()
  const after = await Promise.all(uuids.map(revisionOf))
  return after.map((revision, index) => revision - before[index]!)
}

describe('Change a Product', () => {
  const products = (uuid = practice.productUuid) => `/products/${uuid}`
  const record = async () => {
    const { body } = await holdfast.crm.get(`${practice.path}/products`)
    return body[0]
  }

  it.each([
    ['leadTimeMinutes', 15],
    ['leadTimeMinutes', 0],
    ['leadTimeMinutes', null],
    ['followUpTimeMinutes', 10_080],
    ['followUpTimeMinutes', null],
    ['name', 'Walk'],
    ['description', 'Bring shoes'],
    ['description', null],
    ['minDuration', 10],
    ['maxDuration', 90],
    ['minDuration', null],
  ])('sets %s to %s and nothing else, and answers the whole record', async (field, value) => {
    await patch(products(), {
      leadTimeMinutes: 5,
      followUpTimeMinutes: 6,
      description: 'x',
      minDuration: 30,
      maxDuration: 60,
    })
    const before = await record()
    expect(before).toMatchObject({ leadTimeMinutes: 5, followUpTimeMinutes: 6 })
    const { status, body } = await patch(products(), { [field]: value })
    expect([status, body]).toEqual([200, { ...before, [field]: value }])
    expect(await record()).toEqual(body)
  })

  it.each([
    ['leadTimeMinutes', -1],
    ['leadTimeMinutes', 1.5],
    ['leadTimeMinutes', 10_081],
    ['leadTimeMinutes', '5'],
    ['followUpTimeMinutes', true],
    ['name', ''],
    ['name', null],
    ['minDuration', 0],
  ])('refuses %s = %j', async (field, value) => {
    const before = await record()
    const { status, body } = await patch(products(), { [field]: value })
    expect([status, body.errors[0].field]).toEqual([400, field])
    expect(await record()).toEqual(before)
  })

  it('refuses a minDuration over the maxDuration', async () => {
    await patch(products(), { maxDuration: 30 })
    expect((await patch(products(), { minDuration: 31 })).status).toBe(400)
  })

  it('leaves buffers alone when the CRM sends the Product again', async () => {
    await patch(products(), { leadTimeMinutes: 5 })
    await holdfast.crm.post(`${practice.path}/products`, {
      reference: practice.product,
      name: 'Again',
      leadTimeMinutes: 99,
    })
    expect(await record()).toMatchObject({ name: 'Again', leadTimeMinutes: 5 })
  })

  it('blocks the time around new Appointments only', async () => {
    const spanOf = async (reference: string) => {
      const rows = await holdfast.query(
        `select extract(epoch from start_at - blocked_from)::int / 60 as lead,
           extract(epoch from blocked_to - end_at)::int / 60 as follow_up from appointment where reference = $1`,
        [reference],
      )
      return rows[0]
    }
    const before = await makeAppointment(holdfast.crm, practice)
    await patch(products(), { leadTimeMinutes: 15, followUpTimeMinutes: 20 })
    const after = await makeAppointment(holdfast.crm, practice)
    expect(await spanOf(before.reference)).toEqual({ lead: 0, follow_up: 0 })
    expect(await spanOf(after.reference)).toEqual({ lead: 15, follow_up: 20 })
  })

  it('raises the revision of Resources that link it or link none, and of no others', async () => {
    const other = await makeProduct(holdfast.crm, practice)
    const linked = await makeResource(holdfast.crm, practice, { products: [practice.product] })
    const both = await makeResource(holdfast.crm, practice, { products: [other.reference, practice.product] })
    const unlinked = await makeResource(holdfast.crm, practice, { products: [other.reference] })
    const stranger = await makePractice(holdfast.crm)
    const uuids = [linked, both, unlinked].map(one => one.uuid)
    const revisions = await raised([practice.resourceUuid, ...uuids, stranger.resourceUuid], () =>
      patch(products(), { leadTimeMinutes: 7 }),
    )
    expect(revisions).toEqual([1, 1, 1, 0, 0])
  })

  it('answers 404 for an unknown one', async () => {
    for (const uuid of [unknownUuid, 'x']) expectRefusal(await patch(products(uuid), {}), 404, 'not-found')
  })
})

describe('Change a channel', () => {
  const channels = (uuid = practice.resourceUuid) => `/resources/${uuid}/channels`
  const channel = (key = 'RESOURCE_PUBLIC') => `${channels()}/${key}`
  const defaults = {
    visible: true,
    customersOnly: false,
    bookingProcess: 'IMMEDIATE',
    products: null,
    minimumNoticeMinutes: 0,
    horizonDays: null,
    showFull: false,
    reminderHours: 24,
    changeNoticeMinutes: 0,
    waitingList: false,
    seriesMax: 0,
    agentBooking: false,
    agentHoldMinutes: 15,
    phoneField: 'OPTIONAL',
    askMessage: true,
  }
  const keys = ['RESOURCE_PUBLIC', 'RESOURCE_EXCLUSIVE', 'RESOURCE_REFERENCE', 'CALENDAR_PUBLIC']

  it('each Resource has all four from the start, open to everyone', async () => {
    const { status, body } = await get(channels())
    expect(status).toBe(200)
    expect(body.channels.map((one: Body) => one.key)).toEqual(keys)
    for (const one of body.channels)
      expect(one).toEqual({ uuid: one.uuid, key: one.key, ...defaults, inherited: bookingSettings })
    expect(new Set(body.channels.map((one: Body) => one.uuid)).size).toBe(4)
  })

  it.each([
    ['visible', false],
    ['customersOnly', true],
    ['bookingProcess', 'REQUESTED'],
    ['minimumNoticeMinutes', 525_600],
    ['horizonDays', 1],
    ['horizonDays', 3650],
    ['showFull', true],
    ['reminderHours', 0],
    ['reminderHours', 720],
    ['changeNoticeMinutes', 525_600],
    ['waitingList', true],
    ['phoneField', 'REQUIRED'],
    ['askMessage', false],
  ])('sets %s to %s, of this channel and nothing else', async (field, value) => {
    const { body: before } = await get(channels())
    const { status, body } = await patch(channel('RESOURCE_REFERENCE'), { [field]: value })
    const inherited = bookingSettings.filter(one => one !== field)
    expect([status, body]).toEqual([200, { ...before.channels[2], [field]: value, inherited }])
    expect((await get(channel('RESOURCE_REFERENCE'))).body).toEqual(body)
    const { body: after } = await get(channels())
    expect(after.channels).toEqual(before.channels.with(2, body))
  })

  it('sets everything at once and resets it', async () => {
    const changed = {
      visible: false,
      customersOnly: true,
      bookingProcess: 'REQUESTED',
      products: [practice.productUuid],
      minimumNoticeMinutes: 60,
      horizonDays: 30,
      showFull: true,
      reminderHours: 2,
    }
    expect((await patch(channel(), changed)).body).toMatchObject(changed)
    expect((await patch(channel(), {})).body).toMatchObject(changed)
    expect((await patch(channel(), defaults)).body).toMatchObject(defaults)
  })

  it.each(keys)('knows the channel %s', async key => {
    expect((await patch(channel(key), { reminderHours: 3 })).body).toMatchObject({ key, reminderHours: 3 })
  })

  it('offers the Products it names, none, or all', async () => {
    const other = await makeProduct(holdfast.crm, practice)
    const both = [practice.productUuid, other.uuid]
    for (const products of [both, [other.uuid], [], null])
      expect((await patch(channel(), { products })).body.products).toEqual(products)
    const upper = { products: [other.uuid.toUpperCase()] }
    expect((await patch(channel(), upper)).body.products).toEqual([other.uuid])
  })

  it('refuses a Product that is unknown or of another Provider', async () => {
    const stranger = await makePractice(holdfast.crm)
    for (const uuid of [unknownUuid, stranger.productUuid, 'x', ''])
      expectRefusal(
        await patch(channel(), { products: [practice.productUuid, uuid] }),
        400,
        'invalid-field',
        'products',
      )
    expect((await get(channel())).body.products).toBeNull()
  })

  it.each([
    ['visible', null],
    ['visible', 'yes'],
    ['customersOnly', 1],
    ['bookingProcess', 'LATER'],
    ['products', 'x'],
    ['minimumNoticeMinutes', -1],
    ['minimumNoticeMinutes', null],
    ['horizonDays', 0],
    ['horizonDays', 3651],
    ['horizonDays', 1.5],
    ['showFull', 'no'],
    ['reminderHours', -1],
    ['reminderHours', 721],
  ])('refuses %s = %j', async (field, value) => {
    const { status, body } = await patch(channel(), { [field]: value })
    expect([status, body.errors[0].field]).toEqual([400, field])
    expect((await get(channel())).body).toMatchObject(defaults)
  })

  it('answers 404 for an unknown key and an unknown or deleted Resource', async () => {
    for (const key of ['PUBLIC', 'resource_public']) {
      expectRefusal(await patch(channel(key), {}), 404, 'not-found')
      expectRefusal(await get(channel(key)), 404, 'not-found')
    }
    await holdfast.crm.delete(`${practice.path}/resources/${encodeURIComponent(practice.resource)}`)
    for (const uuid of [unknownUuid, 'x', practice.resourceUuid]) {
      expectRefusal(await patch(`${channels(uuid)}/RESOURCE_PUBLIC`, {}), 404, 'not-found')
      expectRefusal(await get(channels(uuid)), 404, 'not-found')
    }
  })

  it('raises the revision of its Resource and of no other', async () => {
    const other = await makeResource(holdfast.crm, practice)
    const revisions = await raised([practice.resourceUuid, other.uuid], () =>
      patch(channel(), { visible: false }),
    )
    expect(revisions).toEqual([1, 0])
  })
})

describe('Change a Provider', () => {
  const provider = (uuid = practice.uuid) => `/providers/${uuid}`

  it('answers the whole record', async () => {
    const { status, body } = await patch(provider(), {})
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        uuid: practice.uuid,
        reference: practice.reference,
        name: 'Practice',
        email: null,
        mobile: null,
        phone: null,
        impressum: null,
        description: null,
        timeZone: 'Europe/Berlin',
        language: 'en',
      }),
    ])
  })

  it.each([
    ['timeZone', 'America/New_York'],
    ['language', 'it'],
    ['name', 'New'],
    ['email', 'p@example.org'],
    ['phone', '1'],
    ['mobile', '2'],
    ['impressum', 'Legal'],
    ['description', 'About us'],
    ['email', null],
  ])('sets %s to %s and nothing else', async (field, value) => {
    const { body: before } = await patch(provider(), { email: 'x@example.org' })
    const { status, body } = await patch(provider(), { [field]: value })
    expect([status, body]).toEqual([200, { ...before, [field]: value }])
    const { body: list } = await get('/providers')
    expect(list.providers.find((one: Body) => one.uuid === practice.uuid)).toEqual(body)
  })

  it.each([
    ['timeZone', 'Mars/Base'],
    ['timeZone', '+02:00'],
    ['timeZone', null],
    ['timeZone', ''],
    ['language', 'xx'],
    ['language', null],
    ['name', ''],
    ['email', 'no-email'],
  ])('refuses %s = %j', async (field, value) => {
    const { status, body } = await patch(provider(), { [field]: value })
    expect([status, body.errors[0].field]).toEqual([400, field])
  })

  it('changes how times without a zone are read from then on, not existing ones', async () => {
    const before = await makeTimeslot(holdfast.crm, practice)
    await patch(provider(), { timeZone: 'America/New_York' })
    const after = await makeTimeslot(holdfast.crm, practice)
    expect([before.start, after.start]).toEqual(['2030-01-07T07:00:00Z', '2030-01-07T13:00:00Z'])
    const { body: slots } = await holdfast.crm.get(
      `${practice.path}/resource/${encodeURIComponent(practice.resource)}/timeslots?from=2030-01-07T02:00&to=2030-01-07T03:00`,
    )
    expect(slots.map((one: Body) => one.reference)).toEqual([before.reference])
  })

  it('loses nothing when two people change different settings at once', async () => {
    const changes = {
      name: 'Both',
      phone: '1',
      mobile: '2',
      language: 'fr',
      impressum: 'i',
      description: 'd',
    }
    await Promise.all(Object.entries(changes).map(([field, value]) => patch(provider(), { [field]: value })))
    expect((await patch(provider(), {})).body).toMatchObject(changes)
  })

  it('raises the revision of all its Resources and of no others', async () => {
    const second = await makeResource(holdfast.crm, practice)
    const stranger = await makePractice(holdfast.crm)
    const revisions = await raised([practice.resourceUuid, second.uuid, stranger.resourceUuid], () =>
      patch(provider(), { timeZone: 'Europe/Paris' }),
    )
    expect(revisions).toEqual([1, 1, 0])
  })

  it('answers 404 for an unknown one', async () => {
    for (const uuid of [unknownUuid, 'x']) expectRefusal(await patch(provider(uuid), {}), 404, 'not-found')
  })
})

describe('Hand over a logo', () => {
  const put = (data: string) => consoleCall(holdfast.app, 'PUT', `/providers/${practice.uuid}/logo`, { data })
  const fetched = (url: string) => holdfast.app.inject(url.replace(holdfast.service.baseUrl, ''))
  const shown = async () =>
    (await call(holdfast.app, 'POST', `/resources/public_data?ref=${practice.resourceUuid}`)).body.provider
      .theme

  it('stores it and serves it to all visitors immediately, with its type', async () => {
    const { status, body } = await put(smallPicture)
    expect([status, body.logoUrl]).toEqual([200, expect.stringMatching(/^https?:.*\/logos\/[\w-]{36}$/)])
    expect((await shown()).logoUrl).toBe(body.logoUrl)
    const answer = await fetched(body.logoUrl)
    expect(answer.rawPayload).toEqual(Buffer.from(smallPicture, 'base64'))
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })

  it.each([
    ['HTML behind the first bytes of a PNG', '\x89PNG\r\n\x1a\n<script>alert(1)</script>', 'image/png'],
    ['JavaScript that is a GIF too', 'GIF89a/*\x01\x00*/=1;alert(1)//', 'image/gif'],
  ])('%s is served as a picture only, without scripts or sniffing', async (_, text, type) => {
    const { status, body } = await put(Buffer.from(text, 'latin1').toString('base64'))
    expect(status).toBe(200)
    expect((await fetched(body.logoUrl)).headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })

  it.each([
    ['an SVG with a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['HTML in front of a picture', '<script>alert(1)</script>\x89PNG\r\n\x1a\n'],
    ['a PDF', '%PDF-1.4'],
  ])('%s is refused', async (_, text) =>
    expectRefusal(await put(Buffer.from(text, 'latin1').toString('base64')), 400, 'invalid-field', 'data'),
  )

  it('another one has a new address, and the old one is forgotten', async () => {
    const first = (await put(smallPicture)).body.logoUrl
    expect((await put(smallPicture)).body.logoUrl).toBe(first)
    const other = Buffer.concat([Buffer.from(smallPicture, 'base64'), Buffer.alloc(1)]).toString('base64')
    const second = (await put(other)).body.logoUrl
    expect((await fetched(first)).statusCode).toBe(404)
    expect((await fetched(second)).statusCode).toBe(200)
  })

  it.each([
    ['null', null],
    ['one that lies elsewhere', 'https://example.org/logo.png'],
  ])('%s takes its place, and it is forgotten', async (_, logoUrl) => {
    const ours = (await put(smallPicture)).body.logoUrl
    expect((await patch(`/providers/${practice.uuid}`, { logoUrl })).body.logoUrl).toBe(logoUrl)
    expect((await fetched(ours)).statusCode).toBe(404)
  })

  it('stays where other things change', async () => {
    const ours = (await put(smallPicture)).body.logoUrl
    expect((await patch(`/providers/${practice.uuid}`, { name: 'New' })).body.logoUrl).toBe(ours)
    expect((await fetched(ours)).statusCode).toBe(200)
  })

  it.each([
    ['no picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
    ['no Base64', 'data:image/png;base64,AAAA'],
    [
      'a picture that is too large',
      Buffer.concat([Buffer.from(smallPicture, 'base64'), Buffer.alloc(262_144)]).toString('base64'),
    ],
  ])('refuses %s, and says so', async (_, data) => {
    expectRefusal(await put(data), 400, 'invalid-field', 'data')
    expect(await shown()).toBeNull()
  })

  it.each(['x', unknownUuid])('knows no logo %s', async uuid => {
    expect((await holdfast.app.inject(`/logos/${uuid}`)).statusCode).toBe(404)
  })
})

describe('the bearer token', () => {
  const routes = () =>
    [
      ['GET', '/providers'],
      ['PATCH', `/providers/${practice.uuid}`],
      ['PATCH', `/products/${practice.productUuid}`],
      ['GET', `/resources/${practice.resourceUuid}/channels`],
      ['GET', `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`],
      ['PATCH', `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`],
    ] as const

  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer console-token-for-the-test' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic console-token-for-the-tests' }],
  ])('is needed: %s is refused with 401', async (_, headers) => {
    for (const [method, path] of routes()) {
      const body = method === 'PATCH' ? {} : undefined
      const answer = await call(holdfast.app, method, `/console/api${path}`, body, { headers })
      expectRefusal(answer, 401, 'login-required')
    }
  })

  it('is not an API key without the scope settings', async () => {
    const key = await createKey(holdfast.service, { crm: 'crm', scopes: ['setup', 'scheduling', 'read'] })
    for (const [method, path] of routes()) {
      const body = method === 'PATCH' ? {} : undefined
      const headers = { 'x-service-client-id': key }
      const { status } = await call(holdfast.app, method, `/console/api${path}`, body, { headers })
      expect([401, 403]).toContain(status)
    }
  })
})

it.each(['/providers/:provider', '/products/:product', '/resources/:resource/channels/RESOURCE_PUBLIC'])(
  'refuses what it does not know by its name: %s',
  async pattern => {
    const path = pattern
      .replace(':provider', practice.uuid)
      .replace(':product', practice.productUuid)
      .replace(':resource', practice.resourceUuid)
    const { status, body } = await patch(path, { nmae: 'Walk', leadtimeMinutes: 5 })
    expect(status).toBe(400)
    expect(body.errors).toEqual([
      {
        errorCode: 'invalid-field',
        rule: 'unknown-field',
        field: 'nmae',
        message: 'nmae is not a field of this request. See /docs for the valid fields.',
      },
      {
        errorCode: 'invalid-field',
        rule: 'unknown-field',
        field: 'leadtimeMinutes',
        message: 'leadtimeMinutes is not a field of this request. See /docs for the valid fields.',
      },
    ])
  },
)

describe('with an API key that has the scope settings', () => {
  const send = (method: string, path: string, body?: unknown, key = holdfast.crm.key) =>
    call(holdfast.app, method, `/console/api${path}`, body, { headers: { 'x-service-client-id': key } })
  const channel = () => `/resources/${practice.resourceUuid}/channels/RESOURCE_PUBLIC`

  it('sets up a new practice without a login', async () => {
    const answers = [
      await send('PATCH', `/providers/${practice.uuid}`, { timeZone: 'Europe/Zurich' }),
      await send('PATCH', `/products/${practice.productUuid}`, { leadTimeMinutes: 15 }),
      await send('PATCH', channel(), { bookingProcess: 'REQUESTED' }),
      await send('GET', `/resources/${practice.resourceUuid}/channels`),
    ]
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200])
    expect((await get(channel())).body.bookingProcess).toBe('REQUESTED')
  })

  it('sees the Providers of its own CRM, and no others', async () => {
    const theirs = await makePractice(holdfast.otherCrm)
    const uuids = (await send('GET', '/providers')).body.providers.map((one: Body) => one.uuid)
    expect(uuids).toContain(practice.uuid)
    expect(uuids).not.toContain(theirs.uuid)
    for (const path of [
      `/providers/${theirs.uuid}`,
      `/products/${theirs.productUuid}`,
      `/resources/${theirs.resourceUuid}/channels/RESOURCE_PUBLIC`,
    ])
      expectRefusal(await send('PATCH', path, {}), 404, 'not-found')
  })

  it('is written down with the key as who did it', async () => {
    await send('PATCH', `/products/${practice.productUuid}`, { leadTimeMinutes: 20 })
    const rows = await holdfast.query('select actor_kind from event order by id desc limit 1')
    expect(rows[0].actor_kind).toBe('key')
  })

  it('may do nothing else there', async () => {
    for (const path of ['/mails', `/resources/${practice.resourceUuid}/explain?date=2030-01-07`])
      expectRefusal(await send('GET', path), 401, 'login-required')
  })

  it('is refused without the scope, and when it is no key', async () => {
    const without = await createKey(holdfast.service, { crm: 'crm', scopes: ['setup', 'scheduling', 'read'] })
    expectRefusal(await send('PATCH', channel(), {}, without), 403, 'scope')
    expectRefusal(await send('GET', '/providers', undefined, without), 403, 'scope')
    expectRefusal(await send('GET', '/providers', undefined, `hf_none_${'0'.repeat(48)}`), 401, 'invalid-key')
  })

  it('does not open groups A and B by the scope settings alone', async () => {
    const only = await createKey(holdfast.service, { crm: 'crm', scopes: ['settings'] })
    const headers = { 'x-service-client-id': only }
    expectRefusal(await holdfast.crm.get(`${practice.path}/products`, { headers }), 403, 'scope')
    expect((await send('GET', '/providers', undefined, only)).status).toBe(200)
  })
})
