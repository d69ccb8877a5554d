import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { sha256 } from '../../../lib/hash.ts'
import { declarePublic } from '../server/declarations.ts'
import { type Documented, openApiDocument } from './openapi.ts'
import { asOpenApi30 } from './openapi-30.ts'
import { type Documentation, postmanCollection } from './postman.ts'

/** The OpenAPI document and its page. Built on demand, because most processes never serve it. */
export async function addDocs(app: FastifyInstance, documented: Documented[], baseUrl: string) {
  const kept = new Map<string, string>()
  const serve = (path: string, form: (document: object) => object) =>
    app.get(path, { config: { access: { kind: 'public' } } }, async (_request, reply) => {
      const text = kept.get(path) ?? JSON.stringify(form(openApiDocument(documented, baseUrl)))
      kept.set(path, text)
      return reply.type('application/json; charset=utf-8').send(text)
    })
  serve('/openapi.json', document => document)
  serve('/openapi-3.0.json', document => asOpenApi30(document as Record<string, unknown>))
  serve('/docs/postman.json', document => postmanCollection(document as Documentation, baseUrl))
  await app.register(addDocsPage)
}

async function addDocsPage(app: FastifyInstance) {
  declarePublic(app)
  app.addHook('onSend', async (_request, reply, page) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/html')) return
    reply.header('content-security-policy', policyFor(String(page))).header('x-frame-options', 'DENY')
  })
  await app.register(scalar, {
    routePrefix: '/docs/reference',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Holdfast API',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      authentication: { preferredSecurityScheme: 'apiKey' },
      showDeveloperTools: 'never',
      hideClientButton: true,
      // Keeps the status column from wrapping after each digit.
      customCss: '.markdown table :is(th, td:first-child) { white-space: nowrap; word-break: normal }',
    } as object,
    logLevel: 'silent',
  })
}

/** The page has an inline start script, which is allowed by its hash; it sets its styles at runtime. */
function policyFor(page: string): string {
  const inline = [...page.matchAll(/<script type="text\/javascript">([\s\S]*?)<\/script>/g)]
  const hashes = inline.map(([_match, text = '']) => `'sha256-${sha256(text).toString('base64')}'`)
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
