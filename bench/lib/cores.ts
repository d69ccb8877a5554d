import { spawnSync } from 'node:child_process'
import os from 'node:os'

type Apart = { prefix: string[]; loadPrefix: string[]; said: string }

const none: Apart = { prefix: [], loadPrefix: [], said: 'on the same cores' }

/**
 * The last core for the load alone, the others for the service and its PostgreSQL. Clients have machines of their own; here
 * whatever a larger load costs to make would be missing in the service, and look as if it had carried less.
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
