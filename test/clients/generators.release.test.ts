import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, startTestService, type TestService } from '../support/service.ts'
import { makeBookableRoom } from './room.ts'
import { makeFolder, runTool } from './tools.ts'

// The path of an integrator: a generator creates a client, the client compiles and books.

const generators = ['openapi-fetch', 'hey-api', 'orval'] as const

let holdfast: TestService
let baseUrl: string
let temporary: Awaited<ReturnType<typeof makeFolder>>
beforeAll(async () => {
  holdfast = await startTestService()
  baseUrl = await holdfast.app.listen({ port: 0 })
  temporary = await makeFolder()
  const write = (name: string, text: string) => writeFile(join(temporary.folder, name), text)
  await write('openapi.json', (await call(holdfast.app, 'GET', '/openapi.json')).text)
  await write('orval.config.mjs', orvalConfig(baseUrl))
  for (const name of generators) await write(`${name}.ts`, programs[name])
  await write('tsconfig.json', tsconfig)
  await runTool(temporary.folder, 'openapi-typescript', ['openapi.json', '-o', 'types.ts'])
  await runTool(temporary.folder, 'openapi-ts', [
    '-i',
    'openapi.json',
    '-o',
    'hey',
    '-c',
    '@hey-api/client-fetch',
  ])
  await runTool(temporary.folder, 'orval', ['--config', 'orval.config.mjs'])
}, 120_000)
afterAll(async () => {
  await temporary.remove()
  await holdfast.close()
})

it('all clients and the programs that use them compile', async () => {
  expect(await runTool(temporary.folder, 'tsc', ['-p', '.'])).toBe('')
}, 180_000)

it.each(generators)('%s generates a client that lists, holds and books', async name => {
  const { ref, productUuid } = await makeBookableRoom(holdfast)
  const { book } = await import(/* @vite-ignore */ join(temporary.folder, `${name}.ts`))
  expect(await book(baseUrl, ref, productUuid)).toContain('/cancel/')
})

const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
  },
  include: ['*.ts'],
})

const orvalConfig = (url: string) => `export default {
  holdfast: {
    input: './openapi.json',
    output: { target: './from-orval/index.ts', client: 'fetch', baseUrl: '${url}' },
  },
}
`

const consumer = `{ email: 'ann@example.org', firstname: 'Ann', lastname: 'Berg' }`

const programs: Record<(typeof generators)[number], string> = {
  'openapi-fetch': `
import createClient from 'openapi-fetch'
import type { paths } from './types.ts'

export async function book(baseUrl: string, ref: string, productUuid: string): Promise<string> {
  const client = createClient<paths>({ baseUrl })
  const params = { path: { ref } }
  const list = await client.GET('/resources/{ref}/upcoming_bookables', { params })
  const { start, end, timeslot_uuid } = list.data!['2027-03-04']![0]!
  const held = await client.POST('/rest/1/resources/{ref}/reserve_appointment', {
    params,
    body: { timeslot_uuid, product_uuid: productUuid, from: start, to: end },
  })
  const placeholder_id = held.data!.participation.customer_uuid
  const made = await client.POST('/resources/{ref}/create_appointment_with_consumer', {
    params,
    body: { start, end, timeslot_uuid, placeholder_id, ...${consumer} },
  })
  return made.data!.createdAppointment.cancelLink
}
`,
  'hey-api': `
import { completeBooking, listBookables, reserveAppointment, type Bookable } from './hey'
import { client } from './hey/client.gen'

export async function book(baseUrl: string, ref: string, productUuid: string): Promise<string> {
  client.setConfig({ baseUrl })
  const path = { ref }
  const list = await listBookables({ path, throwOnError: true })
  const groups = list.data as Record<string, Bookable[]>
  const { start, end, timeslot_uuid } = groups['2027-03-04']![0]!
  const held = await reserveAppointment({
    path,
    body: { timeslot_uuid, product_uuid: productUuid, from: start, to: end },
    throwOnError: true,
  })
  const placeholder_id = held.data.participation.customer_uuid
  const made = await completeBooking({
    path,
    body: { start, end, timeslot_uuid, placeholder_id, ...${consumer} },
    throwOnError: true,
  })
  return made.data.createdAppointment.cancelLink
}
`,
  orval: `
import { type Bookable, completeBooking, listBookables, reserveAppointment } from './from-orval'

export async function book(_baseUrl: string, ref: string, productUuid: string): Promise<string> {
  const list = await listBookables(ref)
  if (list.status !== 200) throw new Error(String(list.status))
  const { start, end, timeslot_uuid } = (list.data['2027-03-04'] as Bookable[])[0]!
  const held = await reserveAppointment(ref, { timeslot_uuid, product_uuid: productUuid, from: start, to: end })
  if (held.status !== 200) throw new Error(String(held.status))
  const placeholder_id = held.data.participation.customer_uuid
  const made = await completeBooking(ref, { start, end, timeslot_uuid, placeholder_id, ...${consumer} })
  if (made.status !== 201) throw new Error(String(made.status))
  return made.data.createdAppointment.cancelLink
}
`,
}
