import { lockByIds } from '../../../db/base/ledger.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import { RestartTransaction } from '../../../db/base/postgres-errors.ts'
import { membersOfSeries, type SeriesMember } from '../../../db/scheduling/series.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { notFound } from '../../../errors.ts'

export const isActive = ({ appointmentState, state }: SeriesMember) =>
  appointmentState === 'ACTIVE' && state !== 'CANCELED'

/** Locks the Resources of all dates, and those they move to, in the order of their ids. */
export async function lockSeries(
  tx: Queryable,
  provider: ProviderRow,
  seriesId: string,
  targets: number[] = [],
): Promise<{ members: SeriesMember[]; now: number }> {
  const seen = await membersOfSeries(tx, provider.id, seriesId)
  const locked = new Set([...seen.map(one => one.resourceId), ...targets])
  const { now } = await lockByIds(tx, [...locked])
  // Read again under the locks: another transaction may have moved or deleted one of them.
  const members = await membersOfSeries(tx, provider.id, seriesId)
  if (members.length === 0) throw notFound('series', seriesId, 'seriesId')
  if (members.some(one => !locked.has(one.resourceId))) throw new RestartTransaction()
  return { members, now }
}

/** Where others are booked too, only the person of the series leaves; other Appointments go as a whole. */
export function splitMembers(members: SeriesMember[]) {
  const isShared = (one: SeriesMember) => one.participationId !== null && one.others > 0
  return {
    whole: members.filter(one => !isShared(one)).map(one => one.appointmentId),
    places: members.filter(isShared).map(one => one.participationId!),
    all: members.map(one => one.appointmentId),
  }
}
