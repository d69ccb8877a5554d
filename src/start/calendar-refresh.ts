import { importCalendar } from '../actions/scheduling/calendars/import-calendar.ts'
import { mirrorBookings } from '../actions/scheduling/calendars/mirror-bookings.ts'
import { endLeases, renewLeases, takeDueSources } from '../db/scheduling/calendar-checks.ts'
import { takeDueMirrors } from '../db/scheduling/calendar-mirrors.ts'
import type { Service } from '../service.ts'
import { startLeasedWork } from './leased-work.ts'
import type { WarningLog } from './repeat.ts'

/** Reads external calendars. */
export const startCalendarRefresh = (service: Service, log: WarningLog) =>
  startLeasedWork(service, log, {
    take: taking => takeDueSources(service.db, taking),
    run: (source, worker) => importCalendar(service, source, worker),
    renew: (workers, seconds) => renewLeases(service.db, 'calendar_check', workers, seconds),
    end: workers => endLeases(service.db, 'calendar_check', workers),
    failure: 'an external calendar could not be imported',
  })

/** Writes bookings into external calendars. */
export const startCalendarMirror = (service: Service, log: WarningLog) =>
  startLeasedWork(service, log, {
    take: taking => takeDueMirrors(service.db, taking),
    run: (mirror, worker) => mirrorBookings(service, mirror, worker),
    renew: (workers, seconds) => renewLeases(service.db, 'calendar_mirror', workers, seconds),
    end: workers => endLeases(service.db, 'calendar_mirror', workers),
    failure: 'bookings could not be written into an external calendar',
  })
