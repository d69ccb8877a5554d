// node bench/run.ts [name ...]: runs all benches or the named ones, prints their tables and stores them in
// README.md.

import { backlog } from './benches/backlog.ts'
import { backupVerify } from './benches/backup-verify.ts'
import { before } from './benches/before.ts'
import { bookingPage } from './benches/booking-page.ts'
import { bulk } from './benches/bulk.ts'
import { busyWeek } from './benches/busy-week.ts'
import { bytes } from './benches/bytes.ts'
import { calendarImport } from './benches/calendar-import.ts'
import { cancels } from './benches/cancels.ts'
import { churn } from './benches/churn.ts'
import { closures } from './benches/closures.ts'
import { consoles } from './benches/consoles.ts'
import { events } from './benches/events.ts'
import { feed } from './benches/feed.ts'
import { findTimes } from './benches/find-times.ts'
import { growth } from './benches/growth.ts'
import { heavyTenant } from './benches/heavy-tenant.ts'
import { hotSlot } from './benches/hot-slot.ts'
import { hoursJob } from './benches/hours-job.ts'
import { manyInstances } from './benches/instances.ts'
import { keyCheck } from './benches/key-check.ts'
import { largeData } from './benches/large-data.ts'
import { largeGroup } from './benches/large-group.ts'
import { listAfterBooking } from './benches/list-after-booking.ts'
import { listCold } from './benches/list-cold.ts'
import { listConditional } from './benches/list-conditional.ts'
import { listWarm } from './benches/list-warm.ts'
import { longTables } from './benches/long-tables.ts'
import { manyProducts } from './benches/many-products.ts'
import { manyResources } from './benches/many-resources.ts'
import { moves } from './benches/moves.ts'
import { overload } from './benches/overload.ts'
import { passwordFlood } from './benches/password-flood.ts'
import { processes } from './benches/processes.ts'
import { purgeMonth } from './benches/purge-month.ts'
import { questions } from './benches/questions.ts'
import { reports } from './benches/reports.ts'
import { pair, reserve } from './benches/reserve.ts'
import { slowDisk } from './benches/slow-disk.ts'
import { soak } from './benches/soak.ts'
import { start } from './benches/start.ts'
import { sums } from './benches/sums.ts'
import { sync } from './benches/sync.ts'
import { tenantMove } from './benches/tenant-move.ts'
import { webhooks } from './benches/webhooks.ts'
import { year } from './benches/year.ts'
import { yearOfData } from './benches/year-of-data.ts'
import { zoneChange } from './benches/zone-change.ts'
import { progress } from './lib/progress.ts'
import { keep, type Row, table } from './lib/report.ts'

const benches: Record<string, () => Promise<Row[]>> = {
  'list-warm': listWarm,
  'list-conditional': listConditional,
  'list-after-booking': listAfterBooking,
  'list-cold': listCold,
  'booking-page': bookingPage,
  reserve,
  pair,
  questions,
  moves,
  'calendar-import': calendarImport,
  'find-times': findTimes,
  reports,
  cancels,
  bytes,
  churn,
  sync,
  sums,
  soak,
  overload,
  'password-flood': passwordFlood,
  'heavy-tenant': heavyTenant,
  'hot-slot': hotSlot,
  events,
  feed,
  growth,
  closures,
  'hours-job': hoursJob,
  bulk,
  'large-group': largeGroup,
  backlog,
  'many-products': manyProducts,
  'many-resources': manyResources,
  consoles,
  webhooks,
  'zone-change': zoneChange,
  instances: manyInstances,
  'slow-disk': slowDisk,
  'busy-week': busyWeek,
  'long-tables': longTables,
  'key-check': keyCheck,
  year,
  'year-of-data': yearOfData,
  'large-data': largeData,
  'purge-month': purgeMonth,
  'tenant-move': tenantMove,
  'backup-verify': backupVerify,
  start,
  processes,
  before,
}

/** Named together: big tenants, big days and long queues, whose table is in docs/scale.md. */
const sets: Record<string, string[]> = {
  large: [
    'booking-page',
    'many-resources',
    'many-products',
    'large-data',
    'backlog',
    'large-group',
    'consoles',
    'long-tables',
    'webhooks',
    'zone-change',
    'instances',
    'slow-disk',
    'purge-month',
  ],
}

const args = process.argv.slice(2)
const isDry = args.includes('--dry')
const named = args.filter(arg => arg !== '--dry').flatMap(arg => sets[arg] ?? [arg])
const unknown = named.filter(name => !benches[name])
if (unknown.length > 0 || args.includes('--help')) {
  process.stdout.write(
    `node bench/run.ts [--dry] [name ...]\n\n  --dry   prints only, bench/README.md stays as it is\n\nBenches: ${Object.keys(benches).join(', ')}\n\nSets: ${Object.entries(
      sets,
    )
      .map(([name, all]) => `${name} (${all.join(', ')})`)
      .join('; ')}\n`,
  )
  process.exit(unknown.length > 0 && !args.includes('--help') ? 1 : 0)
}

// Only by name: it needs another checkout.
const chosen = named.length > 0 ? named : Object.keys(benches).filter(name => name !== 'before')
const all: Row[] = []
for (const [index, name] of chosen.entries()) {
  progress(`${name} (${index + 1} of ${chosen.length})`)
  const rows = await benches[name]!()
  process.stdout.write(`\n${table(rows)}\n\n`)
  all.push(...rows)
  if (!isDry) keep(name, rows, `node bench/run.ts ${name}`)
}
if (chosen.length > 1) process.stdout.write(`All of them:\n\n${table(all)}\n`)
