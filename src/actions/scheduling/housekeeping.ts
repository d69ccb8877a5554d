// Jobs that run every minute. Several instances may run them at the same time.

import { appointmentsWithExpiredHolds, cleanUpIdle, deleteGoneAppointments } from '../../db/base/ledger.ts'
import type { Db } from '../../db/base/pool.ts'
import { deleteOldHits } from '../../db/base/rates.ts'
import { deleteOldAnswers } from '../../db/base/stored-answers.ts'
import { deleteOldDeliveries } from '../../db/deliveries.ts'
import { beginEraIfRestored, pruneEvents } from '../../db/events.ts'
import { forgetOldImports } from '../../db/scheduling/imports.ts'
import { forgetOldMerges } from '../../db/scheduling/merges.ts'
import { findDueReminders, takeDueReminders } from '../../db/scheduling/reminders.ts'
import { deleteExpiredLogins } from '../../db/setup/console-sessions.ts'
import { serviceActor } from '../../rules/messages/events.ts'
import type { Service } from '../../service.ts'
import { recordEvents } from '../record-events.ts'
import { rebuildHoursForZone } from './hours/hours.ts'

const batch = 200

/** After this time, the next run continues. */
const tidyMs = 30_000

export async function tidy(service: Service) {
  const { db, config } = service
  await deleteExpiredHolds(db)
  await deleteGoneAppointments(db)
  await deleteOldHits(db)
  await deleteOldAnswers(db)
  await deleteExpiredLogins(db)
  await forgetOldMerges(db)
  await forgetOldImports(db)
  await rebuildHoursForZone(service, null, tidyMs)
  await beginEraIfRestored(db)
  await pruneEvents(db, config.eventDays)
  await deleteOldDeliveries(db, config.retentionDeliveryDays)
}

/** Expired holds already count as free; this only deletes their rows. */
async function deleteExpiredHolds(db: Db) {
  const until = performance.now() + tidyMs
  for (let found = batch; found === batch && performance.now() < until; ) {
    const appointments = await appointmentsWithExpiredHolds(db, batch)
    if (appointments.length > 0) await db.transaction(tx => cleanUpIdle(tx, appointments))
    found = appointments.length
  }
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
