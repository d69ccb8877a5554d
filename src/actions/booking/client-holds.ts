import type { Config } from '../../config.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { findHoldsOf, type LiveHold } from '../../db/booking/holds.ts'
import { tooManyOpen } from '../../errors.ts'
import type { PreparedReserve } from './requests.ts'

const maxRenewals = 3

type HoldRequest = Pick<PreparedReserve, 'client' | 'placeholder'>
type Limits = Pick<Config, 'holdsPerClient' | 'holdsPerResource'>

/**
 * The live holds of the clients in a batch, updated as requests are granted. Requests without a client are
 * not counted.
 */
export class ClientHolds {
  limits: Limits
  /** Holds about to be replaced, by placeholder. */
  replaced = new Map<string, LiveHold>()
  counts = new Map<string, number>()

  constructor(limits: Limits) {
    this.limits = limits
  }

  async read(tx: Queryable, clients: string[], replaced: string[]) {
    const placeholders = new Set(replaced.map(one => one.toLowerCase()))
    for (const hold of await findHoldsOf(tx, clients)) {
      if (placeholders.has(hold.placeholder)) this.replaced.set(hold.placeholder, hold)
      this.count(hold.client, hold.resourceId, 1)
    }
  }

  /**
   * Counts a granted request. Only then does the hold that it replaces stop counting: a refused request keeps
   * its hold.
   */
  granted({ client, placeholder }: HoldRequest, resourceId: number) {
    const before = this.replacedBy(placeholder)
    if (before) this.count(before.client, before.resourceId, -1)
    if (before) this.replaced.delete(before.placeholder)
    if (client !== null) this.count(client, resourceId, 1)
  }

  count(client: string, resourceId: number, step: number) {
    for (const key of [client, `${client} ${resourceId}`])
      this.counts.set(key, (this.counts.get(key) ?? 0) + step)
  }

  refuseMore({ client, placeholder }: HoldRequest, resourceId: number) {
    if (client === null) return
    const { holdsPerClient, holdsPerResource } = this.limits
    const before = this.replacedBy(placeholder)
    const own = before?.client === client ? 1 : 0
    const ownHere = before?.resourceId === resourceId ? own : 0
    if ((this.counts.get(client) ?? 0) - own >= holdsPerClient) throw tooManyOpen('holds', holdsPerClient)
    if ((this.counts.get(`${client} ${resourceId}`) ?? 0) - ownHere >= holdsPerResource)
      throw tooManyOpen('holds:resource', holdsPerResource)
  }

  /** Holding the same slot again is a renewal, which is limited; another slot starts at zero. */
  renewalsOf(
    { client, placeholder }: HoldRequest,
    resourceId: number,
    start: number,
    max = maxRenewals,
  ): number {
    const before = client === null ? undefined : this.replacedBy(placeholder)
    if (!before || before.resourceId !== resourceId || before.startAt !== start) return 0
    if (before.renewals >= max) throw tooManyOpen('renewals', max)
    return before.renewals + 1
  }

  replacedBy(placeholder: string | null) {
    return placeholder === null ? undefined : this.replaced.get(placeholder.toLowerCase())
  }
}
