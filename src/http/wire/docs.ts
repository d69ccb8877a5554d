import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { errorCodes } from '../../errors.ts'
import { statusOf } from './errors.ts'

const description = `
Appointment scheduling over HTTP. Groups A and B need an API key in the header \`X-SERVICE-CLIENT-ID\`.
Every path is also served under \`/rest/1\`.

Errors have one shape: \`{"api-info", "errors": [{"errorCode", "message", "field"}]}\`.

| Status | errorCode |
|---|---|
${Object.entries(Object.groupBy(errorCodes, code => String(statusOf[code])))
  .map(([status, codes]) => `| ${status} | ${codes!.map(code => `\`${code}\``).join(', ')} |`)
  .join('\n')}
`

export async function addDocs(app: FastifyInstance, baseUrl: string) {
  await app.register(swagger, {
    transform: ({ schema, url, route }) => ({ schema: withErrors(schema, route.config), url }),
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Holdfast', version: '1', description },
      servers: [{ url: baseUrl }],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-SERVICE-CLIENT-ID' },
          session: { type: 'apiKey', in: 'cookie', name: 'holdfast_session' },
          token: { type: 'http', scheme: 'bearer' },
        },
      },
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Holdfast API',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
    } as object,
    logLevel: 'silent',
  })
}

/** Errors are documented with their route, and left out of what is compiled for it. */
function withErrors(schema: FastifySchema | undefined, config: unknown): FastifySchema {
  const { errorResponses } = (config ?? {}) as { errorResponses?: object }
  if (!schema) return { hide: true } as FastifySchema
  if (!errorResponses) return schema
  return { ...schema, response: { ...(schema.response as object), ...errorResponses } }
}
