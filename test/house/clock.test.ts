import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'

// The clock of the machine can be set while the service runs. What lasts so many seconds in this process is
// therefore measured with performance.now(), and what counts for bookings, sessions and limits with the
// clock of the database.

const usesOfWallClock: Record<string, string> = {
  'src/actions/booking/correct-email.ts': 'date of an email',
  'src/actions/booking/finish-booking.ts': 'date of an email',
  'src/actions/booking/move.ts': 'date of an email',
  'src/actions/booking/send-links.ts': 'date of an email',
  'src/actions/booking/waiting/join.ts': 'which day is today; the database decides',
  'src/actions/console/login-links.ts': 'shown',
  'src/actions/console/oidc.ts': 'end of a login in the browser',
  'src/actions/console/second-factor.ts': 'codes are made from the time of day',
  'src/actions/record-events.ts': 'date of an email',
  'src/actions/scheduling/customers/customer-list.ts': 'date of an email',
  'src/actions/scheduling/customers/customer-details.ts': 'moment of a consent, shown',
  'src/actions/scheduling/imports/run-import.ts': 'a hint; the database decides',
  'src/db/embedded/initdb.ts': 'age of a file',
  'src/http/console/access/keys.ts': 'end of a key',
  'src/http/console/calendar/calendar.ts': 'shown',
  'src/http/console/hours/closures.ts': 'default of a filter',
  'src/http/console/calendar/diary.ts': 'shown',
  'src/http/wire/callers/device.ts': 'end of a signed cookie',
  'src/http/wire/ops/record-response.ts': 'shown',
  'src/http/wire/ops/work-metrics.ts': 'shown',
  'src/lib/clock.ts': 'the time of day itself, which a sandbox can set',
  'src/lib/ordered-reference.ts': 'order of names',
  'src/lib/signer.ts': 'end of a link',
  'src/links.ts': 'end of a link',
  'src/messages/email/mail-watch.ts': 'shown',
  'src/messages/preview.ts': 'shown',
  'src/pages/console/mail.ts': 'shown',
  'src/pages/waiting/join.ts': 'first day of a form',
  'src/pages/book/form.ts': 'a hint; the database decides',
  'src/pages/book/steps.ts': 'end of a cookie; the database decides',
  'src/pages/links/booked.ts': 'date of a calendar entry',
  'src/start/demo.ts': 'end of a key',
  'src/actions/scheduling/report-parts.ts': 'which days are past',
  'src/start/sandbox/clock.ts': 'sets the time of day of a sandbox',
  'src/start/sandbox/routes.ts': 'shown',
  'src/webhooks/send.ts': 'a date that the receiver names',
}

it('durations do not depend on the clock of the machine', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'))
  const found = files
    .map(name => posix.join('src', name))
    .filter(
      path =>
        !/^src\/(torture|commands)\//.test(path) &&
        /\b(Date\.now|clockNow)\(\)/.test(readFileSync(path, 'utf8')),
    )
  // A new file: use performance.now() for a duration, or say above what the time of day is for.
  expect(found.toSorted()).toEqual(Object.keys(usesOfWallClock).toSorted())
})
