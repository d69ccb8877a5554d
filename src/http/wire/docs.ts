import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { type Documented, openApiDocument } from './openapi.ts'

/** The document for programs and its page for people. Most processes are never asked for it: it is made on demand. */
export async function addDocs(app: FastifyInstance, documented: Documented[], baseUrl: string) {
  let text: string | undefined
  app.get('/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(openApiDocument(documented, baseUrl))
    return reply.type('application/json; charset=utf-8').send(text)
  })
  await app.register(scalar, {
    routePrefix: '/docs',
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
    } as object,
    logLevel: 'silent',
  })
}
