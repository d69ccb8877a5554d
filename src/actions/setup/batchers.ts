import { ReferenceLookup } from '../../db/setup/reference-lookup.ts'
import { Batcher } from '../../lib/batcher.ts'
import type { Service } from '../../service.ts'
import { createResourceBatch } from './create-resource-batch.ts'

const createLimits = { concurrency: 1, maxBatch: 100 }

/**
 * Batches that integrator calls share. A caller inside its own transaction needs its own batchers: others
 * would not see its uncommitted rows, and would keep rows that it may roll back.
 */
export const setupBatchers = (service: Service): Pick<Service, 'referenceLookup' | 'resourceBatcher'> => ({
  referenceLookup: new ReferenceLookup(service.db),
  resourceBatcher: new Batcher(createResourceBatch(service), createLimits),
})

/** The same service, with all its work done inside `db`. */
export function serviceWithin(service: Service, db: Service['db']): Service {
  const inner = { ...service, db }
  return Object.assign(inner, setupBatchers(inner))
}
