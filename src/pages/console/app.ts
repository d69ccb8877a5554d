import { existsSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pickLanguage } from '../../languages.ts'
import { html } from '../../lib/html.ts'
import { packagePath } from '../../lib/root.ts'
import type { Service } from '../../service.ts'

// The console is a single-page app, built into dist/web/console: every path returns the same page. Only
// /console/api is different: unknown paths below it return JSON errors.

const folder = packagePath('dist/web/console/')

type Manifest = Record<string, { file: string; css?: string[]; isEntry?: boolean }>
type AssetRequest = FastifyRequest<{ Params: { name: string } }>

/** Null if the web part has not been built. */
function firstFiles(): { script: string; styles: string[] } | null {
  const file = new URL('manifest.json', folder)
  if (!existsSync(file)) return null
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  const entry = Object.values(manifest).find(one => one.isEntry)
  return entry ? { script: entry.file, styles: entry.css ?? [] } : null
}

/**
 * No third-party and no inline content, except images, for a Provider's logo. The preview frame is our own
 * booking page.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data:",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function addConsoleApp(app: FastifyInstance, service: Service) {
  for (const path of ['/console', '/console/*'])
    app.get(path, async (request, reply) => sendConsole(service, request, reply))

  app.get('/console/assets/:name', async (request: AssetRequest, reply) => {
    const { name } = request.params
    const type = /^[\w-]+\.(js|css)$/.exec(name)?.[1]
    const file = new URL(name, folder)
    if (!type || !existsSync(file)) return reply.callNotFound()
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .type(type === 'js' ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8')
      .send(readFileSync(file))
  })
}

function sendConsole({ config }: Service, request: FastifyRequest, reply: FastifyReply) {
  const files = firstFiles()
  if (!files || isOfApi(request)) return reply.callNotFound()
  const language = pickLanguage(request.headers['accept-language'], config.language)
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="same-origin">
<title>Holdfast</title>
${files.styles.map(name => html`<link rel="stylesheet" href="/console/assets/${name}">`)}
<script type="module" src="/console/assets/${files.script}"></script>
</head>
<body class="root"><div id="console"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`
  return reply
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page.text)
}

const isOfApi = ({ url }: FastifyRequest) => /^\/console\/api(?:[/?]|$)/.test(url)
