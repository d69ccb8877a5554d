import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { HoldfastError, makeClient, unwrap } from '../clients/ts/src/index.ts'
import { clientTypes, schemaFile } from '../scripts/client-types.ts'
import { version as serviceVersion } from '../src/lib/root.ts'
import { makeBookableRoom } from './clients/room.ts'
import { useService } from './support/service.ts'

const run = promisify(execFile)
const timeslotsPath = '/crms/{crmId}/provider/{providerRef}/resource/{resourceRef}/timeslots'
const packageFolder = fileURLToPath(new URL('../clients/ts', import.meta.url))

const holdfast = await useService()
const baseUrl = await holdfast.app.listen({ port: 0 })

it('has types generated from the current OpenAPI document (otherwise: npm run client)', async () => {
  expect(await readFile(schemaFile, 'utf8')).toBe(await clientTypes())
})

it('sets up, lists, holds and books with typed calls', async () => {
  const { ref, productUuid } = await makeBookableRoom(holdfast)
  const client = makeClient({ baseUrl })
  const params = { path: { ref } }
  const groups = await unwrap(
    client.GET('/resources/{ref}/upcoming_bookables', {
      params: { ...params, query: { prdRef: productUuid } },
    }),
  )
  const [slot] = groups?.['2027-03-04'] ?? []
  const { start, end, timeslot_uuid } = slot!
  const { participation } = await unwrap(
    client.POST('/rest/1/resources/{ref}/reserve_appointment', {
      params,
      body: { timeslot_uuid, product_uuid: productUuid, from: start, to: end },
    }),
  )
  const consumer = { email: 'ann@example.org', firstname: 'Ann', lastname: 'Berg' }
  const { createdAppointment } = await unwrap(
    client.POST('/resources/{ref}/create_appointment_with_consumer', {
      params,
      body: { start, end, timeslot_uuid, placeholder_id: participation.customer_uuid, ...consumer },
    }),
  )
  expect(createdAppointment.cancelLink).toContain('/cancel/')
})

describe('a failed call', () => {
  it('throws an error with its status and code', async () => {
    const client = makeClient({ baseUrl, apiKey: holdfast.crm.key })
    const params = { path: { crmId: holdfast.crm.name, reference: 'nobody@plat' } }
    const { error, response } = await client.GET('/crms/{crmId}/user/{reference}', { params })
    expect(response.status).toBe(404)
    expect(error?.errors[0]?.errorCode).toBe('not-found')
    const thrown = await unwrap(client.GET('/crms/{crmId}/user/{reference}', { params })).catch(one => one)
    expect(thrown).toBeInstanceOf(HoldfastError)
    expect(thrown).toMatchObject({ status: 404, code: 'not-found' })
  })

  it.each([200, 502])('keeps the status %i of a response that is not JSON', async status => {
    const proxy = createServer((_request, response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Please log in</h1>'),
    ).listen(0)
    onTestFinished(() => void proxy.close())
    const client = makeClient({ baseUrl: `http://localhost:${(proxy.address() as AddressInfo).port}` })
    const thrown = await client.GET('/healthz').catch(error => error)
    expect(thrown).toBeInstanceOf(HoldfastError)
    expect(thrown).toMatchObject({ status, errors: [], code: undefined })
    expect(thrown.message).toContain('Please log in')
  })

  it('does not compile without a required field', () => {
    const client = makeClient({ baseUrl })
    const never = () => {
      // @ts-expect-error the path has a part
      client.GET('/resources/{ref}/upcoming_bookables')
      // @ts-expect-error a body is required
      client.POST('/crms/{crmId}/user', { params: { path: { crmId: 'demo' } } })
      const path = { crmId: 'demo', providerRef: 'p@x', resourceRef: 'r@x' }
      // @ts-expect-error from and to are required
      client.GET(timeslotsPath, { params: { path } })
    }
    expect(never).toBeTypeOf('function')
  })
})

it('has the version of the service', async () => {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'))
  expect(version).toBe(serviceVersion)
})

it('accepts a base address with a trailing slash', async () => {
  const { response } = await makeClient({ baseUrl: `${baseUrl}/` }).GET('/healthz')
  expect(response.url).toBe(`${baseUrl}/healthz`)
})

describe('the package', () => {
  let project: string
  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'holdfast-client-'))
    await run('npm', ['pack', '--pack-destination', project], { cwd: packageFolder })
    const [archive] = await readdir(project)
    await writeFile(join(project, 'package.json'), '{ "type": "module" }')
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${archive}`], {
      cwd: project,
    })
    await writeFile(join(project, 'book.js'), bookingScript)
  })
  afterAll(() => rm(project, { recursive: true }))

  it('books in Node from a folder with nothing else in it', async () => {
    const { ref, productUuid } = await makeBookableRoom(holdfast)
    const { stdout } = await run('node', ['book.js', baseUrl, ref, productUuid], { cwd: project })
    expect(stdout).toContain('/cancel/')
  })

  it('books from a Vite bundle', async () => {
    const { ref, productUuid } = await makeBookableRoom(holdfast)
    await build({
      root: project,
      logLevel: 'silent',
      build: { outDir: 'bundle', lib: { entry: 'book.js', formats: ['es'], fileName: 'book' } },
    })
    await rm(join(project, 'node_modules'), { recursive: true })
    const { stdout } = await run('node', ['bundle/book.js', baseUrl, ref, productUuid], { cwd: project })
    expect(stdout).toContain('/cancel/')
  })
})

const bookingScript = `
import { makeClient, unwrap } from '@holdfast/client'
const [baseUrl, ref, prdRef] = globalThis.process?.argv.slice(2) ?? []
const client = makeClient({ baseUrl })
const params = { path: { ref } }
const groups = await unwrap(
  client.GET('/resources/{ref}/upcoming_bookables', { params: { ...params, query: { prdRef } } }),
)
const { start, end, timeslot_uuid } = groups['2027-03-04'][0]
const consumer = { email: 'ann@example.org', firstname: 'Ann', lastname: 'Berg' }
const { createdAppointment } = await unwrap(
  client.POST('/resources/{ref}/create_appointment_with_consumer', {
    params,
    body: { start, end, timeslot_uuid, product_uuid: prdRef, ...consumer },
  }),
)
console.log(createdAppointment.cancelLink)
`
