import { LookUps } from '../../db/setup/look-ups.ts'
import { Gathering } from '../../lib/gathering.ts'
import type { Service } from '../../service.ts'
import { createTogether } from './create-together.ts'

const creating = { lanes: 1, most: 100 }

/**
 * What calls of integrators do together. Whoever works inside a transaction of its own has its own of these: others would not
 * see what it has written, and would keep what it may have to take back.
 */
export const setupTogether = (service: Service) => ({
  lookUps: new LookUps(service.db),
  creating: new Gathering(createTogether(service), creating),
})

/** The same service, with all that it does inside of `db`. */
export function inside(service: Service, db: Service['db']): Service {
  const inner = { ...service, db }
  return Object.assign(inner, setupTogether(inner))
}
