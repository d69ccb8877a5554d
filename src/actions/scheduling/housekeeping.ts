// Jobs that run every minute. Several instances may run them at the same time.

import {
  deleteGoneAppointments,
  lockById,
  markChangedRange,
  resourcesWithExpiredHolds,
} from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { deleteOldHits } from '../../db/base/rates.ts'
import { deleteOldAnswers } from '../../db/base/stored-answers.ts'
import { deleteOldDeliveries } from '../../db/deliveries.ts'
import { beginEraIfRestored, pruneEvents } from '../../db/events.ts'
import { findDueReminders, takeDueReminders } from '../../db/scheduling/reminders.ts'
import { deleteExpiredLogins } from '../../db/setup/console-sessions.ts'
import { serviceActor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'

const batch = 200

/** Expired holds already count as free; this only deletes their rows. */
export async function tidy({ db, config }: Service) {
  const resources = await resourcesWithExpiredHolds(db, batch)
  for (const id of resources) await db.transaction(tx => tidyOne(tx, id))
  await deleteGoneAppointments(db)
  await deleteOldHits(db)
  await deleteOldAnswers(db)
  await deleteExpiredLogins(db)
  await beginEraIfRestored(db)
  await pruneEvents(db, config.eventDays)
  await deleteOldDeliveries(db, config.retentionDeliveryDays)
}

/** Lists already ignore expired holds, so no changed range is recorded. */
async function tidyOne(tx: Queryable, resourceId: number) {
  await lockById(tx, resourceId)
  await markChangedRange(tx, [{ resourceId, from: 0, to: 0 }])
}

/** More than are due in a minute; the next run takes the rest. */
const maxReminders = 20_000

/** Sends every reminder that is due, once. */
export async function remind(service: Service) {
  const found = await findDueReminders(service.db, maxReminders)
  for (let done = 0; done < found.length; done += batch)
    await service.db.transaction(async tx => {
      const due = await takeDueReminders(tx, found.slice(done, done + batch))
      const eventBatches = due
        .filter(one => one.wanted)
        .map(one => ({
          actor: serviceActor,
          provider: { id: one.providerId },
          events: { 'participation.reminded': [one.id] },
        }))
      await recordEvents(tx, service, eventBatches)
    })
}
