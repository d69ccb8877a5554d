// One address for a business: /book/{business} and the bundle of everything it offers.

import { expect, it } from 'vitest'
import {
  makePractice,
  makeProvider,
  makeResource,
  makeTimeslot,
  setChannel,
  setProvider,
} from '../support/build.ts'
import { call, consoleCall, useService } from '../support/service.ts'

const holdfast = await useService()
const { app, crm } = holdfast

const page = (name: string, query = '') => call(app, 'GET', `/book/${encodeURIComponent(name)}${query}`)
const bundle = (business: string, headers = {}) =>
  call(app, 'GET', `/resources/bundle?business=${encodeURIComponent(business)}`, undefined, { headers })
type Bundle = { places: { ref: string; resource: { name: string }; channel: { key: string } }[] }
const peopleOf = ({ places }: Bundle) => places.map(one => one.resource.name)
const claim = (uuid: string, slug: unknown) => consoleCall(app, 'PATCH', `/providers/${uuid}`, { slug })

/** With a Resource that is named like its business. */
async function makeBusiness(slug: string | null, publicName = 'Dr Berg') {
  const practice = await makePractice(crm, { name: `Practice of ${publicName}` })
  const path = `/resources/${practice.resourceUuid}`
  await consoleCall(app, 'PATCH', path, { publicName })
  if (slug) await setProvider(holdfast, practice.uuid, { slug })
  return practice
}

it('leads to the page and the bundle, by slug, uuid and reference', async () => {
  const practice = await makeBusiness('river-physio')
  for (const name of ['river-physio', practice.uuid, practice.uuid.toUpperCase(), practice.reference]) {
    expect([(await page(name)).status, peopleOf((await bundle(name)).body)]).toEqual([200, ['Dr Berg']])
    expect((await page(name)).text).toContain('Practice of Dr Berg')
  }
  const { body } = await bundle('river-physio')
  expect(body.places[0].channel.key).toBe('CALENDAR_PUBLIC')
  const { ref } = body.places[0]
  const listed = await call(app, 'GET', `/resources/${ref}/upcoming_bookables`)
  expect([200, 204]).toContain(listed.status)
  for (const name of ['not-there', 'River-physio', '%00', 'a,b', `${practice.resource}x`]) {
    expect((await page(name)).status).toBe(404)
    expect((await bundle(name)).status).toBe(404)
  }
  expect((await call(app, 'GET', '/resources/bundle')).status).toBe(400)
  for (const path of ['/book/%00', '/book/a%00b,c', '/book/x?ref=%00', '/book/%00/times'])
    expect((await call(app, 'GET', path)).status).toBe(404)
})

it('says so if there is no one to book yet, and how to get in touch', async () => {
  const { uuid, path } = await makePractice(crm, { name: 'Empty Practice', phone: '+49 40 123456' })
  const { body } = await crm.get(`${path}/resources`)
  for (const one of body) await consoleCall(app, 'DELETE', `/resources/${one.uuid}`)
  const { status, text } = await page(uuid)
  expect(status).toBe(404)
  for (const said of ['Empty Practice', 'Online booking is currently closed.', 'tel:+4940123456'])
    expect(text).toContain(said)
})

it('shows a Resource that joins at once, and none that left', async () => {
  const practice = await makeBusiness('lake-physio')
  const first = await bundle('lake-physio')
  expect((await page('lake-physio')).text).not.toContain('Amy New')
  // Cached by now.
  await page('lake-physio')
  const unchanged = await bundle('lake-physio', { 'if-none-match': String(first.headers.etag) })
  expect(unchanged.status).toBe(304)
  const amy = await makeResource(crm, practice, { publicName: 'Amy New' })
  expect(peopleOf((await bundle('lake-physio')).body)).toEqual(['Amy New', 'Dr Berg'])
  expect((await page('lake-physio')).text).toContain('Amy New')
  await setChannel(holdfast, amy.uuid, { visible: false }, 'CALENDAR_PUBLIC')
  expect(peopleOf((await bundle('lake-physio')).body)).toEqual(['Dr Berg'])
  expect((await page('lake-physio')).text).not.toContain('Amy New')
  await setChannel(holdfast, practice.resourceUuid, { visible: false }, 'CALENDAR_PUBLIC')
  expect((await page('lake-physio')).text).toContain('Online booking is currently closed')
})

it('shows no archived Resources of a business that is closed', async () => {
  const practice = await makeBusiness('closed-physio')
  const left = await makeResource(crm, practice, { publicName: 'Amy Left' })
  const archive = (uuid: string) => consoleCall(app, 'PATCH', `/resources/${uuid}`, { archived: true })
  await archive(left.uuid)
  await setChannel(holdfast, practice.resourceUuid, { visible: false }, 'CALENDAR_PUBLIC')
  expect(peopleOf((await bundle('closed-physio')).body)).toEqual(['Dr Berg'])
  const { text } = await page('closed-physio')
  expect(text).toContain('Online booking is currently closed')
  expect(text).not.toContain('Amy Left')
  await archive(practice.resourceUuid)
  expect(peopleOf((await bundle('closed-physio')).body)).toHaveLength(1)
  expect((await page('closed-physio')).status).toBe(200)
})

it('keeps to the address of the business in every step', async () => {
  const practice = await makeBusiness('step-physio')
  await makeResource(crm, practice, { publicName: 'Amy New' })
  const { text } = await page('step-physio', '?lang=de')
  expect(text).toContain('/book/step-physio?lang=fr')
  expect(text).not.toContain(`/book/${practice.resourceUuid}?`)
  // Without JavaScript, a time is held for a person of the business.
  await makeTimeslot(crm, practice, { start: '2030-01-07T08:00', end: '2030-01-07T10:00' })
  const [_match, slot] = /name="slot" value="([^"]+)"/.exec((await page('step-physio')).text)!
  const { statusCode, headers } = await app.inject({
    method: 'POST',
    url: '/book/step-physio/reserve',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ slot: slot! }).toString(),
  })
  expect([statusCode, headers.location]).toEqual([303, expect.stringContaining('/book/step-physio/form?')])
  const form = await app.inject({ url: String(headers.location) })
  expect([form.statusCode, form.body.includes('Dr Berg')]).toEqual([200, true])
})

it('redirects a former slug to the current one, also after it was cached', async () => {
  const practice = await makeBusiness('old-name')
  expect((await page('old-name')).status).toBe(200)
  await setProvider(holdfast, practice.uuid, { slug: 'new-name' })
  for (const _ of [1, 2]) {
    const { status, headers } = await page('old-name', '?product=x')
    expect([status, headers.location]).toEqual([302, '/book/new-name?product=x'])
    expect((await page('old-name')).status).toBe(302)
  }
  expect(peopleOf((await bundle('old-name')).body)).toEqual(['Dr Berg'])
  const other = await makePractice(holdfast.otherCrm)
  expect((await claim(other.uuid, 'old-name')).status).toBe(409)
  // Nor does a Resource of another CRM take it over.
  await makeResource(holdfast.otherCrm, other, { reference: 'old-name', publicName: 'Impostor' })
  for (const query of ['', '?lang=it'])
    expect((await page('old-name', query)).headers.location).toBe(`/book/new-name${query}`)
  await setProvider(holdfast, practice.uuid, { slug: 'old-name' })
  expect([(await page('old-name')).status, (await page('new-name')).headers.location]).toEqual([
    200,
    '/book/old-name',
  ])
  await setProvider(holdfast, practice.uuid, { slug: null })
  expect((await page('old-name')).headers.location).toBe(`/book/${practice.uuid}`)
})

it('refuses slugs that are taken, reserved or malformed', async () => {
  const practice = await makeBusiness('first-come')
  const other = await makePractice(crm)
  const named = await makeResource(crm, other, { reference: 'old-room' })
  for (const slug of [
    'first-come',
    'admin',
    'holdfast',
    'old-room',
    '6a1c1b0e-1d7c-4c0f-9b1f-0a2b3c4d5e6f',
  ]) {
    const { status, body } = await claim(other.uuid, slug)
    expect([status, body.errors[0].errorCode, body.errors[0].field]).toEqual([409, 'address-taken', 'slug'])
  }
  for (const slug of ['ab', 'a'.repeat(61), 'River', 'a b', '-ab', 'ab-', 'a--b', 'praxis-müller', 7]) {
    const { status, body } = await claim(other.uuid, slug)
    expect([status, body.errors[0].field]).toEqual([400, 'slug'])
  }
  expect((await page('old-room')).text).toContain(named.uuid)
  expect((await claim(practice.uuid, 'first-come')).status).toBe(200)
  // A name that a Resource gets later does not take over the address of the business.
  await makeResource(crm, other, { reference: 'first-come', publicName: 'Impostor' })
  expect((await page('first-come')).text).not.toContain('Impostor')
})

it('leaves the reference of a business to it, whatever another CRM names so later', async () => {
  const { otherCrm } = holdfast
  const { owner, account } = await makeProvider(crm)
  const fields = { ownerReference: owner, accountReference: account, name: 'The known one' }
  await crm.post('/provider', { ...fields, reference: 'known-by-name' })
  const room = { reference: 'first-room', publicName: 'Room', internalName: 'Room' }
  await crm.post('/provider/known-by-name/resources', room)
  expect((await page('known-by-name')).text).toContain('The known one')
  const other = await makePractice(otherCrm, { name: 'Impostor' })
  const { status, body } = await claim(other.uuid, 'known-by-name')
  expect([status, body.errors[0].errorCode]).toEqual([409, 'address-taken'])
  await makeResource(otherCrm, other, { reference: 'known-by-name', publicName: 'Impostor' })
  for (const query of ['', '?lang=it']) {
    const { text } = await page('known-by-name', query)
    expect([text.includes('The known one'), text.includes('Impostor')]).toEqual([true, false])
  }
  // A Resource of its own comes before it.
  await makeResource(otherCrm, other, { reference: other.reference, publicName: 'Own room' })
  expect((await page(other.reference)).text).toContain('<title>Own room')
})

it('gives a slug to one of several that claim it at once', async () => {
  const others = await Promise.all([1, 2, 3, 4].map(() => makeProvider(crm)))
  const claims = await Promise.all(others.map(({ uuid }) => claim(uuid, 'in-demand')))
  expect(claims.map(one => one.status).sort()).toEqual([200, 409, 409, 409])
})

it('frees the slugs of a deleted Provider', async () => {
  const gone = await makeProvider(crm)
  await setProvider(holdfast, gone.uuid, { slug: 'gone-before' })
  await setProvider(holdfast, gone.uuid, { slug: 'gone-now' })
  expect((await crm.delete(gone.path)).status).toBe(204)
  const next = await makeProvider(crm)
  expect((await claim(next.uuid, 'gone-before')).status).toBe(200)
  expect((await claim(next.uuid, 'gone-now')).status).toBe(200)
})

it('can be chosen by a CRM, too, and is refused where it is taken', async () => {
  const { path } = await makeProvider(crm, { slug: 'hill-physio' })
  expect((await crm.get(path)).body.provider).toMatchObject({ slug: 'hill-physio' })
  const practice = await makeBusiness('valley-physio')
  const other = { ownerReference: practice.owner, accountReference: practice.account, name: 'Other' }
  for (const taken of [
    await crm.put(practice.path, { slug: 'hill-physio' }),
    await crm.post('/provider', { ...other, reference: 'other', slug: 'hill-physio' }),
  ])
    expect([taken.status, taken.body.errors[0].errorCode]).toEqual([409, 'address-taken'])
  expect((await crm.get('/provider/other')).status).toBe(404)
  expect((await crm.put(practice.path, { slug: 'Not a slug' })).status).toBe(400)
  const { body } = await crm.put(practice.path, { slug: 'glen-physio' })
  expect(body.provider).toMatchObject({ slug: 'glen-physio' })
  expect((await page('valley-physio')).status).toBe(302)
})
