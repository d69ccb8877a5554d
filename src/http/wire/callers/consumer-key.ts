import type { FastifyRequest } from 'fastify'
import { findRefs } from '../../../db/booking/refs.ts'
import type { Service } from '../../../service.ts'
import { liveKeyOf } from './auth.ts'

/**
 * Consumers who book through a CRM's own backend share its address. With a key of the scope `consumer`, limits count
 * by the id that the backend gives to each of them. At Resources of other CRMs the key changes nothing.
 */
export async function readConsumerKey(service: Service, request: FastifyRequest) {
  const sent = request.headers['x-service-client-id']
  const { ref } = request.params as { ref?: string }
  if (typeof sent !== 'string' || sent === '' || !ref) return
  const key = await liveKeyOf(service, sent)
  if (!key?.scopes.includes('consumer')) return
  const { found } = await findRefs(service.db, [ref])
  if (!found.every(one => one.crmId === key.crmId)) return
  request.consumer = JSON.stringify([key.id, request.headers['x-consumer-id'] ?? null])
}
