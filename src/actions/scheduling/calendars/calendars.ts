import { randomBytes } from 'node:crypto'
import type { ProviderContext } from '../../../callers.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import {
  countFeeds,
  deleteFeed,
  type Feed,
  findFeed,
  insertFeed,
  recordFeedRead,
} from '../../../db/scheduling/feeds.ts'
import { userIdOfLogin } from '../../../db/setup/console-users.ts'
import { findResource } from '../../../db/setup/resources.ts'
import { listStaff } from '../../../db/setup/staff.ts'
import { invalidField, notFound } from '../../../errors.ts'
import { sha256 } from '../../../lib/hash.ts'
import type { Actor } from '../../../rules/messages/events.ts'
import { isUuid } from '../../../rules/references.ts'
import type { Service } from '../../../service.ts'
import { recordEvents } from '../../record-events.ts'

type FeedRequest = {
  resourceReference?: string | null
  userReference?: string | null
  description?: string | null
  names: boolean
}

const maxFeeds = 200

/** Creates a calendar feed. Its address is shown once and works until it is revoked. */
export async function createCalendar(
  { service, actor, provider }: ProviderContext,
  { resourceReference, userReference, description = null, names }: FeedRequest,
): Promise<{ feed: Feed; url: string }> {
  if (resourceReference && userReference) throw invalidField('userReference', 'not-both')
  const secret = randomBytes(24).toString('base64url')
  const feed = await service.db.transaction(async tx => {
    const resource = resourceReference ? await findResource(tx, provider.id, resourceReference) : null
    if (resourceReference && !resource) throw notFound('Resource', resourceReference, 'resourceReference')
    const staff = userReference ? await listStaff(tx, provider.id) : []
    const user = staff.find(one => one.reference === userReference)
    if (userReference && !user) throw notFound('Staff member', userReference, 'userReference')
    if ((await countFeeds(tx, provider.id)) >= maxFeeds)
      throw invalidField('description', 'max-count:feeds', { limit: maxFeeds })
    const made = await insertFeed(tx, provider.id, {
      resourceId: resource?.id ?? null,
      userId: user?.id ?? null,
      ...(await makerOf(tx, actor)),
      hash: sha256(secret),
      description,
      names,
    })
    await recordEvents(tx, service, {
      actor,
      provider,
      events: { 'settings.changed': [{ detail: 'calendar' }] },
    })
    return made
  })
  return { feed, url: `${service.baseUrl}/calendar/${secret}.ics` }
}

/** The person who knows the address and must lose access when they leave. An operator's token is not a login. */
async function makerOf(tx: Queryable, { kind, name }: Actor) {
  if (kind !== 'console' || !name || !isUuid(name)) return { madeBy: null, madeByLogin: null }
  return { madeBy: await userIdOfLogin(tx, name), madeByLogin: name }
}

/**
 * Finds the feed behind a secret. The last use is recorded in the background, so that it delays no response.
 */
export async function openCalendar({ db, suspensions }: Service, secret: string) {
  const feed = await findFeed(db, sha256(secret))
  suspensions.refuseProvider(feed?.providerId)
  if (feed) recordFeedRead(db, feed.id).catch(() => {})
  return feed
}

/** Takes effect immediately. */
export async function revokeCalendar({ service, actor, provider }: ProviderContext, uuid: string) {
  await service.db.transaction(async tx => {
    if (!(await deleteFeed(tx, provider.id, uuid))) throw notFound('Calendar', uuid)
    await recordEvents(tx, service, {
      actor,
      provider,
      events: { 'settings.changed': [{ detail: 'calendar' }] },
    })
  })
}
