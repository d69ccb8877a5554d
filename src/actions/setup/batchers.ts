import { ReferenceLookup } from '../../db/setup/reference-lookup.ts'
import { Batcher } from '../../lib/batcher.ts'
import { later } from '../../lib/later.ts'
import type { Service } from '../../service.ts'
import { createResourceBatch } from './create-resource-batch.ts'

const createLimits = { concurrency: 1, maxBatch: 100 }

/**
 * Batches that integrator calls share. A caller inside its own transaction needs its own batchers: others
 * would not see its uncommitted rows, and would keep rows that it may roll back.
 */
export const setupBatchers = (
  db: Service['db'],
  service: () => Service,
): Pick<Service, 'referenceLookup' | 'resourceBatcher'> => ({
  referenceLookup: new ReferenceLookup(db),
  resourceBatcher: new Batcher(
    later(() => createResourceBatch(service())),
    createLimits,
  ),
})

/** The same service, with all its work done inside `db`. */
export function serviceWithin(service: Service, db: Service['db']): Service {
  const inner: Service = { ...service, db, ...setupBatchers(db, () => inner) }
  return inner
}
