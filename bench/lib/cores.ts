import { spawnSync } from 'node:child_process'
import os from 'node:os'

type Apart = { prefix: string[]; loadPrefix: string[]; said: string }

const none: Apart = { prefix: [], loadPrefix: [], said: 'on the same cores' }

/**
 * Reserves the last core for the load and the others for the service and its PostgreSQL. Real clients have
 * machines of their own; here, the cost of a larger load would be taken from the service and look like lower
 * capacity.
 */
export function apart(): Apart {
  const cores = os.cpus().length
  if (cores < 2 || spawnSync('taskset', ['--version']).status !== 0) return none
  const last = cores - 1
  const first = last === 1 ? '0' : `0-${last - 1}`
  return {
    prefix: ['taskset', '-c', first],
    loadPrefix: ['taskset', '-c', String(last)],
    said: `on core ${first}, the load on core ${last}`,
  }
}
