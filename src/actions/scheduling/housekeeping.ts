// What jobs do every minute. Several instances may do it at the same time.

import { forgetOldAnswers } from '../../db/base/kept-answers.ts'
import { forgetGoneAppointments, lockById, resourcesToTidy, tellTouched } from '../../db/base/ledger.ts'
import type { Queryable } from '../../db/base/pool.ts'
import { forgetOldHits } from '../../db/base/rates.ts'
import { forgetOldDeliveries } from '../../db/deliveries.ts'
import { beginEraIfRestored, pruneEvents } from '../../db/events.ts'
import { takeDueReminders } from '../../db/scheduling/reminders.ts'
import { forgetExpiredLogins } from '../../db/setup/console-sessions.ts'
import { theService } from '../../rules/news/events.ts'
import type { Service } from '../../service.ts'
import { happened } from '../happened.ts'

const batch = 200

/** Expired holds count for nothing already; this only clears the table of them. */
export async function tidy({ db, config }: Service) {
  const resources = await resourcesToTidy(db, batch)
  for (const id of resources) await db.transaction(tx => tidyOne(tx, id))
  await forgetGoneAppointments(db)
  await forgetOldHits(db)
  await forgetOldAnswers(db)
  await forgetExpiredLogins(db)
  await beginEraIfRestored(db)
  await pruneEvents(db, config.eventDays)
  await forgetOldDeliveries(db, config.retentionDeliveryDays)
}

/** What has expired counts for nothing on lists already: nothing of them is touched. */
async function tidyOne(tx: Queryable, resourceId: number) {
  await lockById(tx, resourceId)
  await tellTouched(tx, [{ resourceId, from: 0, to: 0 }])
}

/** Reminds everybody whose reminder is due, once. */
export async function remind(service: Service) {
  for (;;) {
    const count = await service.db.transaction(async tx => {
      const due = await takeDueReminders(tx, batch)
      const stories = due
        .filter(one => one.wanted)
        .map(one => ({
          actor: theService,
          provider: { id: one.providerId },
          news: { 'participation.reminded': [one.id] },
        }))
      await happened(tx, service, stories)
      return due.length
    })
    if (count < batch) return
  }
}
