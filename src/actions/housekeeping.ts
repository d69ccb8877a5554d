// What jobs do every minute. Several instances may do it at the same time.

import { forgetExpiredLogins } from '../db/console-users.ts'
import { forgetGoneAppointments, lockById, resourcesToTidy } from '../db/ledger.ts'
import { forgetOldHits } from '../db/rates.ts'
import { takeDueReminders } from '../db/reminders.ts'
import type { Service } from '../service.ts'
import { notify } from './notify.ts'

const batch = 200

/** Expired holds count for nothing already; this only clears the table of them. */
export async function tidy({ db }: Service) {
  const resources = await resourcesToTidy(db, batch)
  for (const id of resources) await db.transaction(tx => lockById(tx, id))
  await forgetGoneAppointments(db)
  await forgetOldHits(db)
  await forgetExpiredLogins(db)
}

/** Reminds everybody whose reminder is due, once. */
export async function remind(service: Service) {
  for (;;) {
    const count = await service.db.transaction(async tx => {
      const ids = await takeDueReminders(tx, batch)
      await notify(tx, service, 'reminder', ids, { now: Date.now() })
      return ids.length
    })
    if (count < batch) return
  }
}
