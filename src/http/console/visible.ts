import type { ConsoleCaller } from '../../callers.ts'
import { findProviderById, findProviderByUuid } from '../../db/setup/providers.ts'
import { findResourceByUuid } from '../../db/setup/resources.ts'
import { notFound } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { isUuid } from '../wire/fields.ts'

/** People see the data of their own Providers; everything else is 404. */
export async function visible<T>(
  noun: string,
  uuid: string,
  { providerIds }: Pick<ConsoleCaller, 'providerIds'>,
  providerId: (row: T) => number,
  find: () => Promise<T | null>,
): Promise<T> {
  const row = isUuid(uuid) ? await find() : null
  if (!row || (providerIds && !providerIds.includes(providerId(row)))) throw notFound(noun, uuid)
  return row
}

export function resourceOf(service: Service, caller: Pick<ConsoleCaller, 'providerIds'>, uuid: string) {
  return visible(
    'Resource',
    uuid,
    caller,
    row => row.providerId,
    () => findResourceByUuid(service.db, uuid),
  )
}

export function providerOf(service: Service, caller: ConsoleCaller, uuid: string) {
  return visible(
    'Provider',
    uuid,
    caller,
    row => row.id,
    () => findProviderByUuid(service.db, uuid),
  )
}

export async function providerOfRow({ db }: Service, { providerId }: { providerId: number }) {
  return (await findProviderById(db, providerId))!
}

/** For the owner, administrators and operators only; others get 404. */
export async function ownedProviderOf(service: Service, caller: ConsoleCaller, uuid: string) {
  const provider = await providerOf(service, caller, uuid)
  if (!isOwner(caller, provider.id)) throw notFound('Provider', uuid)
  return provider
}

/** The same for a record of the Provider that is addressed by its own uuid. */
export async function ownedProviderById(
  service: Service,
  caller: ConsoleCaller,
  providerId: number,
  uuid: string,
) {
  if (!isOwner(caller, providerId)) throw notFound('Customer', uuid)
  return providerOfRow(service, { providerId })
}

const isOwner = ({ role, ownedIds }: ConsoleCaller, providerId: number) =>
  role !== 'staff' || ownedIds.includes(providerId)
