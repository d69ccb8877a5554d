import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from '../http/wire/requests/lists.ts'
import { type Language, languages } from '../languages.ts'
import { chooseEncoding, type Encoding } from '../lib/compression.ts'
import { sha256 } from '../lib/hash.ts'
import { packagePath } from '../lib/root.ts'

// The booking widget, as built into dist/web/widget. File names contain a hash and never change content: the
// main file, and small ones that it loads on demand. Pages embed a short name that leads to the main file.

const folder = packagePath('dist/web/widget/')

type Form = Exclude<Encoding, 'zstd'>
type File = { name: string; forms: Record<Form, Buffer> }

// Each form is built once; the smallest is preferred.
const offered: Form[] = ['br', 'gzip', 'identity']

type AssetRequest = FastifyRequest<{ Params: { kind: string; hash: string } }>

const known = new Map<string, File>()

/** One file of each kind: 'main', 'move', and the texts of each language. */
function widgetFile(kind: string): File | null {
  const found = known.get(kind)
  if (found) return found
  const isOfKind = (one: string) => one.startsWith(`widget-${kind}-`) && one.endsWith('.js')
  const name = existsSync(folder) ? readdirSync(folder).find(isOfKind) : undefined
  if (!name) return null
  const plain = readFileSync(new URL(name, folder))
  const file = {
    name,
    forms: { identity: plain, gzip: gzipSync(plain, { level: 9 }), br: brotliCompressSync(plain) },
  }
  known.set(kind, file)
  return file
}

/** Null if the web part has not been built: the service runs, and the pages work without JavaScript. */
export function widgetPath(): string | null {
  const file = widgetFile('main')
  return file && `/assets/${file.name}`
}

/** Pages show another language than English only once it has loaded: at the same time as the main file. */
function textsPath(language: Language): string | null {
  const file = language === 'en' ? null : widgetFile(language)
  return file && `/assets/${file.name}`
}

/** What our own pages load, in this order. */
export const widgetScripts = (language: Language): string[] =>
  [textsPath(language), widgetPath()].filter(path => path !== null)

export function addWidgetFiles(app: FastifyInstance) {
  addTypes(app)
  // A path keeps the host that the page used, behind any proxy and under any of our names.
  addShortName(app, '/widget.js', path => `export * from '${path}'\n`)
  addShortName(app, '/embed.js', embedding)

  app.get('/assets/widget-:kind-:hash', async (request: AssetRequest, reply) => {
    const { kind, hash } = request.params
    const file = widgetFile(kind)
    if (!file) return reply.callNotFound()
    // After an upgrade, cached short names and open pages still request old files for a while; they get the
    // new ones.
    const isCurrent = file.name === `widget-${kind}-${hash}`
    forEveryPage(reply).header(
      'cache-control',
      isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache',
    )
    return sendSmallest(request, reply, file)
  })
}

function addShortName(app: FastifyInstance, name: string, text: (path: string) => string) {
  app.get(name, async (request, reply) => {
    const path = widgetPath()
    if (!path) return reply.callNotFound()
    const etag = `"${sha256(text(path)).toString('base64url').slice(0, 22)}"`
    forEveryPage(reply).header('cache-control', 'public, max-age=300').header('etag', etag)
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.send(text(path))
  })
}

/**
 * The widget's size before it loads, by the width of its container (padding percentages refer to that): 608
 * px high, 720 below a width of 896 px, 832 below 576.
 */
const reserved = `holdfast-booking:not(:defined){display:block;height:0;padding:0 0 max(608px,min(720px,(896px - 100%)*999),min(832px,(576px - 100%)*999))}`

/**
 * A classic script blocks rendering, so the space is reserved from the first paint and nothing moves when the
 * widget loads. The widget itself loads without blocking. Its language, unless it is English, loads at the same time, and
 * its first request is sent as soon as an element is there; the widget uses the answer if its own request is identical
 * (web/widget/src/early-responses.ts), and otherwise sends its own.
 */
const embedding = (path: string) => `{
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('${reserved}')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  const main = new URL('${path}', document.currentScript.src)
  import(main)
  const texts = ${JSON.stringify(Object.fromEntries(languages.map(one => [one, textsPath(one) ?? ''])))}
  const early = (globalThis.holdfastEarly ??= new Map())
  const day = 864e5, now = new Date()
  const month = (add, days) => new Date(+new Date(now.getFullYear(), now.getMonth() + add, 1) + days * day).toISOString().replace('.000', '')
  const ask = element => {
    const text = name => element.getAttribute(name)?.trim() || ''
    const refs = (text('resource') || text('ref')).split(',').map(one => one.trim()).filter(Boolean)
    const business = text('business')
    if (!(business || refs[0]) || text('base-url') || text('date') || text('move-token')) return
    const query = new URLSearchParams()
    if (text('channel-key')) query.append('channelKey', text('channel-key'))
    if (text('product')) query.append('prdRef', text('product'))
    query.append('products', 'ids')
    query.append('from', month(0, -2))
    query.append('to', month(1, 2))
    if (business) query.append('business', business)
    else for (const ref of refs) query.append('ref', ref)
    const url = main.origin + '/resources/bundle?' + query
    if (early.has(url)) return
    const tags = [text('lang'), element.closest('[lang]')?.lang, ...navigator.languages]
    const language = tags.map(tag => tag?.toLowerCase().split(/[-_]/)[0]).find(one => one in texts)
    if (texts[language]) import(new URL(texts[language], main)).catch(() => {})
    const answer = fetch(url, { credentials: 'omit', cache: 'no-cache' })
    answer.catch(() => {})
    early.set(url, answer)
  }
  const look = () => document.querySelectorAll('holdfast-booking:not(:defined)').forEach(ask)
  const watch = new MutationObserver(look)
  watch.observe(document, { childList: true, subtree: true })
  addEventListener('DOMContentLoaded', () => watch.disconnect())
  look()
}
`

const typesFolder = packagePath('clients/ts/widget/')

/** TypeScript types of the element, for sites without a package manager. */
function addTypes(app: FastifyInstance) {
  for (const name of ['index', 'react', 'preact', 'vue'])
    app.get(`/widget/${name}.d.ts`, async (_request, reply) =>
      forEveryPage(reply)
        .header('cache-control', 'public, max-age=300')
        .type('text/plain; charset=utf-8')
        .send(readFileSync(new URL(`${name}.d.ts`, typesFolder))),
    )
}

/** Modules are fetched with CORS. No cookies are involved, so every site may load them. */
function forEveryPage(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('x-content-type-options', 'nosniff')
    .type('text/javascript; charset=utf-8')
}

function sendSmallest(request: FastifyRequest, reply: FastifyReply, { forms }: File) {
  const encoding = chooseEncoding(request.headers['accept-encoding'], forms.identity.length, offered)
  reply.header('vary', 'accept-encoding')
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(forms[encoding])
}
