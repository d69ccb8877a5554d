// The docs of a running service: pages, search, downloads; and their code blocks, compiled and run.

import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docPages } from '../../src/pages/docs/list.ts'
import { newSecret, signedHeaders } from '../../src/webhooks/sign.ts'
import { makeBookableRoom } from '../clients/room.ts'
import { narrow, screenshot, visit, wide } from '../support/browser.ts'
import { makePractice } from '../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../support/consumer.ts'
import { call, consoleCall } from '../support/service.ts'
import { expectNoBarriers, useSite } from '../support/widget.ts'

const site = await useSite()
const { app, crm } = site.holdfast
const get = (path: string) => call(app, 'GET', path)
const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

describe('pages', () => {
  it('exist for every document, also as Markdown, and link only to what exists', async () => {
    const texts = new Map<string, string>()
    for (const { slug, title } of docPages) {
      const page = await get(`/docs/${slug}`)
      expect(page.status, slug).toBe(200)
      expect(page.text).toContain(`<title>${title}</title>`)
      expect(page.text).toMatch(/<h1 id="/)
      texts.set(`/docs/${slug}`, page.text)
      const source = await get(`/docs/${slug}.md`)
      expect(source.headers['content-type']).toBe('text/markdown; charset=utf-8')
      expect(source.text).toMatch(/^# /)
    }
    const broken: string[] = []
    for (const [from, text] of texts)
      for (const [_match, address = ''] of text.matchAll(/<a href="([^"]+)"/g)) {
        const [path = '', anchor] = address.split('#')
        const target = texts.get(path || from)
        const isKnown = target
          ? !anchor || target.includes(`id="${anchor}"`)
          : /^https?:/.test(address) || (await get(path)).status === 200
        if (!isKnown) broken.push(`${from}: ${address}`)
      }
    expect(broken).toEqual([])
  })

  it('have every error code with its remedy', async () => {
    const { text } = await get('/docs/errors')
    expect(text).toContain('<code>cursor-expired</code>')
    expect(text).toContain('reload the records that you keep')
  })

  it('are found by words', async () => {
    const { text } = await get('/docs/search?q=retry-after%20seconds')
    expect(text).toMatch(/<a href="\/docs\/\w+/)
    expect((await get('/docs/search?q=signature')).text).toContain('/docs/webhooks#checking-a-signature')
    expect((await get('/docs/search?q=%3Cscript%3Ezz')).text).toContain('“&lt;script&gt;zz”')
  })

  it('are listed for language models', async () => {
    const { text, headers } = await get('/llms.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    for (const { slug } of docPages) expect(text).toContain(`/docs/${slug}.md)`)
  })

  it('can be read on a desk and a phone, in light and dark, and searched', async () => {
    for (const [name, path, options] of [
      ['1280-docs', '/docs', { viewport: wide }],
      ['1280-docs-errors-dark', '/docs/errors', { viewport: wide, colorScheme: 'dark' }],
      ['360-docs-client', '/docs/client', { viewport: narrow }],
    ] as const) {
      const { page, problems } = await visit(site.browser, site.origin + path, options)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectNoBarriers(page)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, name).toBeLessThanOrEqual(0)
      await screenshot(page, name, false)
      await page.getByRole('searchbox').fill('placeholder')
      await page.keyboard.press('Enter')
      await page
        .getByRole('link', { name: /API guide/ })
        .nth(1)
        .waitFor()
      expect(problems).toEqual([])
    }
  })
})

let folder: string

describe('code in the docs', () => {
  const blocks: { name: string; language: string; code: string }[] = []
  beforeAll(async () => {
    for (const { slug, read } of docPages) {
      const found = [...(await read()).matchAll(/^```(ts|tsx|js|python|php)\n([\s\S]*?)^```/gm)]
      for (const [at, [_key, language = '', code = '']] of found.entries()) {
        const file = /^\/\/ (\w+)\.ts\n/.exec(code)?.[1]
        blocks.push({ name: file ?? `${slug}-${at + 1}`, language, code })
      }
    }
    // As a newcomer: the archive of the service, unpacked into an empty project.
    await mkdir(join(root, 'test-results'), { recursive: true })
    folder = await mkdtemp(join(root, 'test-results/docs-'))
    const installed = join(folder, 'node_modules/@holdfast/client')
    await mkdir(installed, { recursive: true })
    const archive = await app.inject('/docs/holdfast-client.tgz')
    await writeFile(join(folder, 'client.tgz'), archive.rawPayload)
    await run('tar', ['-xzf', join(folder, 'client.tgz'), '-C', installed, '--strip-components=1'])
    for (const name of [
      'openapi-fetch',
      'openapi-typescript-helpers',
      'fastify',
      'react',
      '@types/react',
      '@types/node',
    ])
      await link(name)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    for (const { name, language, code } of blocks)
      if (language.startsWith('ts')) await writeFile(join(folder, `${name}.${language}`), code)
    await writeFile(join(folder, 'express.d.ts'), expressTypes)
    await writeFile(join(folder, 'tsconfig.json'), tsconfig)
  }, 60_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function link(name: string) {
    const target = join(folder, 'node_modules', name)
    await mkdir(join(target, '..'), { recursive: true })
    await symlink(join(root, 'node_modules', name), target)
  }

  it('compiles with the client that the service offers', async () => {
    expect(blocks.filter(one => one.language === 'ts').length).toBeGreaterThanOrEqual(9)
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const packed = JSON.parse(
      await readFile(join(folder, 'node_modules/@holdfast/client/package.json'), 'utf8'),
    )
    expect(packed).toMatchObject({ name: '@holdfast/client', version })
    const tsc = join(root, 'node_modules/.bin/tsc')
    const { stdout, status } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  }, 60_000)

  it('is valid Python and PHP', () => {
    const parse: Record<string, [string, string[]]> = {
      python: ['python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())']],
      php: ['php', ['-l']],
    }
    for (const { name, language, code } of blocks) {
      const [program, args] = parse[language] ?? []
      if (!program) continue
      const input = language === 'php' ? `<?php\n${code}` : code
      const { error, status, stderr } = spawnSync(program, args!, { input, encoding: 'utf8' })
      if (error) console.warn(`${program} is missing: ${name} is not checked.`)
      else expect(`${status}${stderr}`, name).toBe('0')
    }
  })

  it('runs: nightly sync twice, the mirror, a booking, and a receiver', async () => {
    const practice = await makePractice(crm)
    const { ref } = await makeBookableRoom(site.holdfast)
    const env = {
      ...process.env,
      HOLDFAST_URL: site.origin,
      HOLDFAST_KEY: crm.key,
      HOLDFAST_CRM: crm.name,
      HOLDFAST_PROVIDER: practice.reference,
      HOLDFAST_RESOURCE: ref,
      ONCE: '1',
    }
    const node = join(root, 'node_modules/.bin/node')
    const start = async (name: string) => (await run(node, [join(folder, `${name}.ts`)], { env })).stdout
    expect(await start('nightly-sync-1')).toBe('1 saved, 0 refused\n'.repeat(4))
    const before = (await crm.get('/events?limit=1&after=now')).body.next
    expect(await start('nightly-sync-1')).toBe('1 saved, 0 refused\n'.repeat(4))
    expect((await crm.get(`/events?after=${before}`)).body.events).toEqual([])
    expect(await start('follow')).toBe('0 appointments, 1 customers\n')
    expect(await start('booking-ui-1')).toMatch(/Reserved until .*\n.* http.*\/cancel\//)
    await bookThroughBackend(ref)

    const { POST } = await import(/* @vite-ignore */ join(folder, 'webhook-receivers-3.ts'))
    process.env.HOLDFAST_SECRET = newSecret()
    const body = JSON.stringify({ type: 'customer.created', timestamp: '2027-03-01T09:00:00Z', data: {} })
    const headers = signedHeaders([process.env.HOLDFAST_SECRET], 'id-1', new Date(), body)
    const receive = (text: string) =>
      POST(new Request('http://x/hook', { method: 'POST', headers, body: text }))
    expect((await receive(body)).status).toBe(204)
    expect((await receive(`${body} `)).status).toBe(400)
  }, 60_000)
})

/** Limits count by visitor; the visitor's own token cancels. */
async function bookThroughBackend(ref: string) {
  const created = await consoleCall(app, 'POST', `/crms/${crm.name}/keys`, { scopes: ['consumer'] })
  Object.assign(process.env, {
    HOLDFAST_URL: site.origin,
    HOLDFAST_RESOURCE: ref,
    HOLDFAST_CONSUMER_KEY: created.body.secret,
  })
  const consumer = asConsumer(overApp(app))
  const [slot] = slotsOf(await consumer.list(ref))
  const { hold } = await import(/* @vite-ignore */ join(folder, 'booking-ui-3.ts'))
  const held = await hold('visitor-1', holdOf(slot!))
  const { body } = await consumer.complete(
    ref,
    bookingOf(slot!, { placeholder_id: held.participation.customer_uuid }),
  )
  const { cancel } = await import(/* @vite-ignore */ join(folder, 'booking-ui-2.ts'))
  for (const time of ['first', 'second'])
    expect(await cancel(body.createdAppointment), time).toMatchObject({ 'api-info': { version: '1' } })
}

it('the archive is what npm would pack', async () => {
  expect(existsSync(join(root, 'clients/ts/dist/index.js'))).toBe(true)
  const { statusCode, rawPayload, headers } = await app.inject('/docs/holdfast-client.tgz')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('application/gzip')
  const { stdout } = spawnSync('tar', ['-tzf', '-'], { input: rawPayload, encoding: 'utf8' })
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining(['package/package.json', 'package/dist/index.d.ts', 'package/widget/react.d.ts']),
  )
})

const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    allowImportingTsExtensions: true,
    jsx: 'react-jsx',
    types: ['node'],
  },
  include: ['*.ts', '*.tsx'],
})

/** Express is not among our packages; this is the part of it that the docs use. */
const expressTypes = `declare module 'express' {
  import type { IncomingMessage, ServerResponse } from 'node:http'
  type Answer = ServerResponse & { status(code: number): Answer; send(text: string): Answer }
  type Handler = (request: IncomingMessage & { body: Buffer }, response: Answer) => void
  function express(): { post(path: string, ...handlers: unknown[] & [unknown, Handler]): void; listen(port: unknown): void }
  namespace express { function raw(options: { type: string }): unknown }
  export default express
}
`
