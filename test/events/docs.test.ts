import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordEvents } from '../../src/actions/record-events.ts'
import { lastEvent } from '../../src/db/events.ts'
import { eventMeanings } from '../../src/rules/messages/event-meanings.ts'
import { type EventKind, eventKinds, nounOf, serviceActor } from '../../src/rules/messages/events.ts'
import { newSecret, newSigningKey, signedHeaders } from '../../src/webhooks/sign.ts'
import { call, consoleCall, eventually, useService } from '../support/service.ts'

// docs/events.md lists every kind with an example. The examples are recorded from a real service. To change
// them on purpose: DOCS=write vitest run test/events/docs.test.ts

const file = 'docs/event-examples.md'
const holdfast = await useService()

type Told = { id: string; kind: EventKind; at: string; data: unknown }

/** Typical activity of a practice, through its CRM. */
async function live() {
  const { crm } = holdfast
  const at = '/provider/practice@acme'
  const post = async (path: string, body: object) =>
    expect((await crm.post(path, body)).status, path).toBe(201)
  await post('/user', { reference: 'ann@acme', email: 'ann@acme.example', username: 'ann', lastName: 'Berg' })
  await crm.post('/user', {
    reference: 'ann@acme',
    email: 'ann@acme.example',
    username: 'ann',
    lastName: 'Bergmann',
  })
  await post('/user', { reference: 'bea@acme', email: 'bea@acme.example', username: 'bea', lastName: 'Lund' })
  await post('/account', { ownerReference: 'ann@acme', accountReference: 'acme@acme', branch: 'misc' })
  await crm.put('/account/acme@acme', { invoiceCompanyName: 'Acme' })
  await post('/account', { ownerReference: 'ann@acme', accountReference: 'spare@acme', branch: 'misc' })
  await crm.delete('/account/spare@acme')
  await post('/user', {
    reference: 'cara@acme',
    email: 'cara@acme.example',
    username: 'cara',
    lastName: 'Lang',
  })
  await crm.delete('/user/cara@acme')
  const provider = { reference: 'practice@acme', ownerReference: 'ann@acme', accountReference: 'acme@acme' }
  await post('/provider', { ...provider, name: 'Practice' })
  await post('/provider', { ...provider, reference: 'west@acme', name: 'Practice West' })
  await post(`${at}/staff`, { userReference: 'bea@acme' })
  await crm.delete(`${at}/staff/bea@acme`)
  await post(`${at}/products`, { reference: 'talk@acme', name: 'Talk', minDuration: 30 })
  await crm.post(`${at}/products`, { reference: 'talk@acme', name: 'First talk' })
  const question = { key: 'reason', type: 'text', label: { en: 'Reason for your visit' } }
  await post(`${at}/questions`, question)
  await crm.put(`${at}/questions/reason`, { required: true })
  await post(`${at}/questions`, { ...question, key: 'shoes' })
  await crm.delete(`${at}/questions/shoes`)
  const room = { reference: 'room@acme', publicName: 'Room 1', internalName: 'R1', products: ['talk@acme'] }
  await post(`${at}/resources`, room)
  await crm.post(`${at}/resources`, { ...room, publicName: 'Room One' })
  const calendar = { kind: 'ics', address: 'https://calendar.example.org/ann.ics', name: 'Ann, private' }
  await post(`${at}/resources/room@acme/calendar_sources`, calendar)
  const slot = {
    reference: 'monday@acme',
    resourceReference: 'room@acme',
    start: '2030-01-07T08:00',
    end: '2030-01-07T12:00',
    raster: 30,
    defaultCapacity: 1,
    defaultAcceptBookings: true,
    state: 'BOOKABLE',
  }
  await post(`${at}/timeslots`, { timeslots: [slot] })
  await crm.put(`${at}/timeslots/monday@acme`, { end: '2030-01-07T11:00' })
  const person = { customerReference: 'zoe@acme', providerReference: 'practice@acme', userName: 'Zoe Winter' }
  await post(`${at}/customers`, { ...person, email: 'zoe@example.org' })
  await crm.put(`${at}/customers/zoe@acme`, { mobile: '+4917012345' })
  const appointment = { resourceReference: 'room@acme', productReference: 'talk@acme', capacity: 3 }
  const times = { start: '2030-01-08T10:00', end: '2030-01-08T10:30' }
  await post(`${at}/appointments`, { ...appointment, ...times, reference: 'a-1@acme' })
  const join = (reference: string, state: string) =>
    post(`${at}/participations`, {
      reference,
      appointmentReference: 'a-1@acme',
      customerReference: 'zoe@acme',
      state,
    })
  const move = (reference: string, state: string) => crm.post(`${at}/participations/${reference}`, { state })
  await join('p-1@acme', 'REQUESTED')
  await move('p-1@acme', 'CANCELED')
  await join('p-2@acme', 'BOOKED')
  await move('p-2@acme', 'CANCELED')
  // Deleted records appear in their final state.
  await post(`${at}/customers`, { ...person, customerReference: 'tom@acme', userName: 'Tom Summer' })
  await post(`${at}/customers`, { ...person, customerReference: 'tim@acme', userName: 'Tim Summer' })
  const merged = await crm.post(`${at}/customers/zoe@acme/merge`, { customerReference: 'tim@acme' })
  await crm.post(`${at}/customers/zoe@acme/merges/${merged.body.merge.uuid}/undo`, {})
  await post(`${at}/timeslots`, { timeslots: [{ ...slot, reference: 'tuesday@acme' }] })
  await post(`${at}/resources`, { ...room, reference: 'hut@acme' })
  const walk = await crm.post(`${at}/products`, { reference: 'walk@acme', name: 'Walk' })
  const path = `/products/${walk.body.product.uuid}`
  expect((await consoleCall(holdfast.app, 'DELETE', path)).status).toBe(204)
  for (const gone of ['customers/tom@acme', 'timeslots/tuesday@acme', 'resources/hut@acme'])
    expect((await crm.delete(`${at}/${gone}`)).status, gone).toBe(204)
  expect((await crm.delete('/provider/west@acme')).status).toBe(204)
}

/** Existing ids, for the kinds that this activity does not cause. */
async function subjects() {
  const rows = await holdfast.query(
    `select distinct on (noun) noun, subject, provider_id, crm_id
     from (select *, split_part(kind, '.', 1) as noun from event) as event where subject is not null order by noun, id`,
  )
  return new Map(rows.map(row => [row.noun as string, row]))
}

const details: { [K in EventKind]?: string } = { 'settings.changed': 'RESOURCE_PUBLIC', 'mail.purged': '120' }

async function examples(): Promise<Map<EventKind, Told>> {
  await live()
  const found = new Map<EventKind, Told>()
  const read = async () => {
    const rows = await holdfast.query(`select id from crm where name = 'crm'`)
    const newest = (await holdfast.query('select max(id) as id from event'))[0].id
    await eventually(async () => (await lastEvent(holdfast.service.db, rows[0].id))?.id === newest)
    const { body } = await holdfast.crm.get('/events?limit=500')
    for (const event of body.events as Told[]) if (!found.has(event.kind)) found.set(event.kind, event)
  }
  await read()
  const known = await subjects()
  const provider = known.get('provider')
  await holdfast.service.db.transaction(async tx => {
    for (const kind of eventKinds.filter(one => !found.has(one))) {
      const subject = known.get(kind.startsWith('settings') ? 'resource' : nounOf(kind))?.subject ?? null
      const detail = details[kind] ?? null
      await recordEvents(tx, holdfast.service, {
        actor: serviceActor,
        provider: { id: provider.subject, crmId: provider.crm_id },
        sendMails: false,
        events: { [kind]: [{ subject, detail, ...(extras[kind] && { extra: extras[kind] }) }] },
      })
    }
  })
  await read()
  return found
}

const extras: { [Kind in EventKind]?: object } = {
  'resource.extended': { from: '2030-01-21T08:00:00Z', to: '2030-01-21T12:00:00Z' },
}

const masked = (text: string) => {
  const uuids = new Map<string, string>()
  const plain = (uuid: string) => {
    if (!uuids.has(uuid))
      uuids.set(uuid, `00000000-0000-4000-8000-${String(uuids.size + 1).padStart(12, '0')}`)
    return uuids.get(uuid)!
  }
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, plain)
    .replaceAll(/"name":"[0-9a-f]{8}"/g, '"name":"12ab34cd"')
    .replaceAll(/"(at|timestamp)":"[^"]+"/g, '"$1":"2027-03-01T09:00:00Z"')
    .replaceAll(/"sequence":\d+/g, '"sequence":4711')
}

describe('docs/events.md', () => {
  it('has a recorded example of each kind', async () => {
    const found = await examples()
    const parts = eventKinds.map(kind => {
      const example = JSON.stringify(JSON.parse(masked(JSON.stringify(found.get(kind)))), null, 2)
      return `## \`${kind}\`\n\n${eventMeanings[kind]}\n\n\`\`\`json\n${example}\n\`\`\`\n`
    })
    const head =
      '# Events by example\n\nWritten by test/events/docs.test.ts. How to read and receive them: [events.md](events.md).\n'
    const text = [head, ...parts].join('\n')
    if (process.env.DOCS === 'write') writeFileSync(file, text)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('lists every kind with its meaning', () => {
    const guide = readFileSync('docs/events.md', 'utf8')
    for (const kind of eventKinds) expect(guide).toContain(`| \`${kind}\` | ${eventMeanings[kind]} |`)
  })

  it('matches the webhooks in the OpenAPI document', async () => {
    const { body } = await call(holdfast.app, 'GET', '/openapi.json')
    expect(Object.keys(body.webhooks)).toEqual(eventKinds)
  })
})

describe('the signature checks in docs/events.md', () => {
  const guide = readFileSync('docs/events.md', 'utf8')
  const codeIn = (language: string) => guide.match(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``))![1]!
  const secret = newSecret()
  const body = '{"type":"test","data":{"name":"Zoë"}}'
  const headers = signedHeaders([newSecret(), secret], 'id-1', new Date(), body, [newSigningKey()])
  const old = signedHeaders([secret], 'id-1', new Date(Date.now() - 600_000), body)

  it('work in Node', async () => {
    const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(codeIn('js'))}`)
    expect(isGenuine(secret, headers, body)).toBe(true)
    expect(isGenuine(secret, headers, `${body} `)).toBe(false)
    expect(isGenuine(newSecret(), headers, body)).toBe(false)
    expect(isGenuine(secret, old, body)).toBe(false)
  })

  const has = (program: string) => spawnSync(program, ['--version']).status === 0

  it.skipIf(!has('python3'))('holds in Python', () => {
    const ask = (...given: unknown[]) => {
      const code = `${codeIn('python')}\nimport json, sys\nprint(is_genuine(*json.loads(sys.argv[1])))`
      return spawnSync('python3', ['-c', code, JSON.stringify(given)], { encoding: 'utf8' }).stdout.trim()
    }
    expect(ask(secret, headers, body)).toBe('True')
    expect(ask(secret, headers, `${body} `)).toBe('False')
    expect(ask(secret, old, body)).toBe('False')
  })

  it.skipIf(!has('php'))('holds in PHP', () => {
    const ask = (...given: unknown[]) => {
      const code = `${codeIn('php')}\necho json_encode(isGenuine(...json_decode($argv[1], true)));`
      return spawnSync('php', ['-r', code, JSON.stringify(given)], { encoding: 'utf8' }).stdout.trim()
    }
    expect(ask(secret, headers, body)).toBe('true')
    expect(ask(secret, headers, `${body} `)).toBe('false')
    expect(ask(secret, old, body)).toBe('false')
  })

  it.skipIf(!has('javac'))('holds in Java', () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-java-'))
    const imports = [
      'java.nio.charset.*',
      'java.security.*',
      'java.util.*',
      'javax.crypto.*',
      'javax.crypto.spec.*',
    ]
    const main = `public static void main(String[] a) throws Exception {
      var headers = Map.of("webhook-id", a[1], "webhook-timestamp", a[2], "webhook-signature", a[3]);
      System.out.println(isGenuine(a[0], headers, a[4]) + " " + isGenuine(a[0], headers, a[4] + " "));
    }`
    const file = join(folder, 'Check.java')
    writeFileSync(
      file,
      `${imports.map(one => `import ${one};`).join('\n')}\nclass Check { ${codeIn('java')} ${main} }`,
    )
    const plain = '{"type":"test"}'
    const signed = signedHeaders([newSecret(), secret], 'id-1', new Date(), plain, [newSigningKey()])
    const given = [file, secret, ...Object.values(signed), plain]
    expect(spawnSync('java', given, { encoding: 'utf8' }).stdout.trim()).toBe('true false')
    rmSync(folder, { recursive: true })
  })
})
