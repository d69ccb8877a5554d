import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findLogo } from '../db/setup/providers.ts'
import { notFound } from '../errors.ts'
import { isUuid } from '../rules/references.ts'
import type { Service } from '../service.ts'

type LogoRequest = FastifyRequest<{ Params: { uuid: string } }>

/** A Provider's logo, for our pages, embedded widgets and emails. A new logo gets a new address. */
export function addLogos(app: FastifyInstance, { db }: Service) {
  app.get('/logos/:uuid', async ({ params: { uuid } }: LogoRequest, reply) => {
    const logo = isUuid(uuid) ? await findLogo(db, uuid) : null
    if (!logo) throw notFound('Logo', uuid)
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('x-content-type-options', 'nosniff')
      .type(logo.type)
      .send(logo.bytes)
  })
}
