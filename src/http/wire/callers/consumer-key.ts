import type { FastifyRequest } from 'fastify'
import type { Service } from '../../../service.ts'
import type { Route } from '../route.ts'
import { liveKeyOf } from './auth.ts'

/**
 * Consumers who book through a CRM's own backend share its address. With a key of the scope `consumer`, limits count
 * by the id that the backend gives to each of them. At Resources of other CRMs the key changes nothing.
 */
export async function readConsumerKey(service: Service, { crmOf }: Route, request: FastifyRequest) {
  const sent = request.headers['x-service-client-id']
  if (!crmOf || typeof sent !== 'string' || sent === '') return
  const key = await liveKeyOf(service, sent)
  if (!key?.scopes.includes('consumer') || (await crmOf(service, request.params)) !== key.crmId) return
  request.apiKey = key
  request.consumer = JSON.stringify([key.id, request.headers['x-consumer-id'] ?? null])
}
