import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'

// Every action that writes what a Resource can sell, and how the time that it frees reaches the waiting list. A new
// writer fails here until it says so. The other tests of this folder try them out.

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => posix.join(folder, name))

const textOf = (file: string) => readFileSync(file, 'utf8')

/** Tables that decide what is free. */
const ledger =
  'appointment|participation|timeslot|closure|closed_time|channel|opening_rule|resource_product|resource|product'
const writes = new RegExp(
  `\\b(?:update (?:${ledger})(?: as \\w+)? set|insert into (?:${ledger})\\b|delete from (?:${ledger})\\b)`,
)

/** The top-level functions and constants of a file, with their texts. */
function partsOf(file: string): [name: string, text: string][] {
  const parts = textOf(file).split(/^(?=(?:export )?(?:async )?(?:function|const) \w)/m)
  return parts.flatMap(text => {
    const name = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(text)?.[1]
    return name ? [[name, text] as [string, string]] : []
  })
}

/** Functions of src/db that write to the ledger, directly or through another. */
function writersInDb(): Set<string> {
  const parts = filesBelow('src/db')
    .filter(file => !file.includes('/backup/'))
    .flatMap(partsOf)
  const writers = new Set(parts.filter(([_key, text]) => writes.test(text)).map(([name]) => name))
  for (let before = 0; before < writers.size; ) {
    before = writers.size
    for (const [name, text] of parts)
      if (
        [...text.matchAll(/\b(\w+)\(/g)].some(([_match, called]) => called !== name && writers.has(called!))
      )
        writers.add(name)
  }
  return writers
}

/** Held for the next in line before the transaction ends. */
const atOnce = [
  'booking/consumer-cancel.ts',
  'booking/move.ts',
  'scheduling/appointments/cancel-appointments.ts',
  'scheduling/appointments/change-places.ts',
  'scheduling/customers/customers.ts',
  'scheduling/appointments/move-appointment.ts',
  'scheduling/appointments/participations.ts',
  'scheduling/series/cancel.ts',
  'scheduling/series/move.ts',
  'scheduling/waiting/entries.ts',
  'scheduling/waiting/search.ts',
]

/** Raises the revision of the Resource, by which the job finds what has become free within seconds. */
const byRevision = [
  'booking/batch/complete-batch.ts',
  'booking/batch/reserve-batch.ts',
  'booking/complete.ts',
  'booking/complete-held.ts',
  'booking/lock-and-read.ts',
  'booking/propose.ts',
  'booking/series/complete-series.ts',
  'booking/series/reserve-series.ts',
  'booking/reserve.ts',
  'console/settings.ts',
  'scheduling/hours/absence.ts',
  'scheduling/calendars/calendar-sources.ts',
  'scheduling/appointments/change-appointment.ts',
  'scheduling/hours/change-timeslot.ts',
  'scheduling/hours/closures.ts',
  'scheduling/appointments/create-appointments.ts',
  'scheduling/hours/create-timeslots.ts',
  'scheduling/hours/holidays.ts',
  'scheduling/hours/hours.ts',
  'scheduling/housekeeping.ts',
  'scheduling/appointments/message-people.ts',
  'scheduling/calendars/import-calendar.ts',
  'scheduling/appointments/restore-appointment.ts',
  'scheduling/calendars/stale-calendars.ts',
  'scheduling/appointments/swap-appointments.ts',
  'scheduling/waiting/offer-freed.ts',
  'setup/create-resources.ts',
  'setup/products.ts',
  'setup/save-resource.ts',
]

/** With the reason why nothing can become free. */
const freesNothing: Record<string, string> = {
  'booking/correct-email.ts': 'changes an address',
  'booking/finish-booking.ts': 'counts calendar entries',
  'record-events.ts': 'counts calendar entries',
  'scheduling/appointments/attendance.ts': 'notes who came',
  'scheduling/appointments/book-walk-in.ts': 'takes time',
  'scheduling/series/book.ts': 'takes time',
  'scheduling/series/members.ts': 'locks; cancel.ts and move.ts offer what they free',
  'scheduling/lock-records.ts': 'locks; the change that follows offers what it frees',
  'setup/lock-records.ts': 'locks; the change that follows offers what it frees',
  'scheduling/delete-resource.ts': 'the Resource is gone with its time',
  'setup/save-profile.ts': 'changes contacts',
  'booking/unconfirmed-details.ts': 'changes a name or number',
  'booking/save-answers.ts': 'stores answers',
  'scheduling/purge-answers.ts': 'deletes answers',
  'setup/questions.ts': 'changes what is asked',
  'scheduling/customers/merge-customers.ts': 'bookings change hands, not times',
  'scheduling/customers/undo-merge.ts': 'bookings change hands, not times',
  'setup/users.ts': 'changes a name or number',
  'setup/providers.ts': 'a Provider without Resources has no time',
}

const raises =
  /\b(lock\w*|bump\w+|releaseHolds|cleanUp\w+|rebuild\w+|insertTimeslots|insertResources|tidy|createClosures|reserve\w*|complete\w*)\(/

it('knows every action that writes the ledger, and how freed time reaches the waiting list', () => {
  const writers = writersInDb()
  expect(writers.size).toBeGreaterThan(40)
  const found = filesBelow('src/actions').filter(file =>
    [...textOf(file).matchAll(/\b(\w+)\(/g)].some(([_match, called]) => {
      const isImported = new RegExp(
        `import \\{[^}]*\\b${called}\\b[^}]*\\} from '[^']*/db/|as ${called}\\b`,
      ).test(textOf(file))
      return isImported && writers.has(originalName(textOf(file), called!))
    }),
  )
  const known = [...atOnce, ...byRevision, ...Object.keys(freesNothing)].map(name => `src/actions/${name}`)
  expect(found.filter(file => !known.includes(file))).toEqual([])
})

const originalName = (text: string, called: string) =>
  new RegExp(`\\b(\\w+) as ${called}\\b`).exec(text)?.[1] ?? called

it('holds at once what people give up', () => {
  for (const name of atOnce)
    expect(/offerFreed(Places|Times)\(/.test(textOf(`src/actions/${name}`)), name).toBe(true)
})

it('raises the revision wherever else time can become free', () => {
  for (const name of byRevision) expect(raises.test(textOf(`src/actions/${name}`)), name).toBe(true)
})

it('searches every Resource whose revision was raised', () => {
  const search = textOf('src/db/scheduling/waiting-line.ts')
  expect(search).toContain('scan.revision is distinct from resource.revision')
})
