import { book } from '../lib/booking.ts'
import { compare } from '../lib/compare.ts'
import { cpuMsOf, flat } from '../lib/flat.ts'
import { makeLargeData } from '../lib/large-data.ts'
import { progress } from '../lib/progress.ts'
import { type Reading, request } from '../lib/readings.ts'
import { type Row, reported } from '../lib/report.ts'
import { freeSlots } from '../lib/seed.ts'
import { crm, withSql } from '../lib/service.ts'
import { onStage, type Stage } from '../lib/stage.ts'
import { residentMegabytes } from '../lib/usage.ts'

const alone = { args: ['--without-jobs'] }

/**
 * The CPU cost of what staff, integrators and operators ask for, in turns on a small database and on one with 20
 * million events, a million Customers, 20,000 CRMs and two years of Timeslots.
 */
export const largeData = (): Promise<Row[]> =>
  onStage(small => onStage(big => besideEachOther(small, big), alone), alone)

async function besideEachOther(small: Stage, big: Stage): Promise<Row[]> {
  const sides = [await sideOf(big), await sideOf(small)] as const
  await makeLargeData(big.service, name => progress(`  ${name}`))
  await withSql(small.service, client => client.query('vacuum analyze'))
  const rows: Row[] = []
  for (const name of Object.keys(sides[0].readings)) {
    progress(`  ${name}`)
    const [ours, limit] = sides.map(side => () => cpuMsOf(side.readings[name]!, side.pid))
    rows.push(flat(name, await compare(ours!, limit!, 3), name.includes('found by') ? 20 : 50))
  }
  return [...rows, await wholeCustomers(big)]
}

/** The list without pages: memory must not grow with it. */
async function wholeCustomers({ service, seeded }: Stage): Promise<Row> {
  const before = residentMegabytes(service.pid)
  let most = before
  const watching = setInterval(() => {
    most = Math.max(most, residentMegabytes(service.pid))
  }, 50)
  await request(service, 'GET', `/crms/${crm}${seeded.path}/customers`)
  clearInterval(watching)
  return {
    ...reported(
      'all Customers in one list: resident memory',
      `${before.toFixed(0)} MB before, at most ${most.toFixed(0)} MB`,
      'at most 100 MB more',
    ),
    reached: most - before <= 100,
  }
}

async function sideOf({ service, seeded }: Stage) {
  const slots = await freeSlots(service, seeded)
  for (let time = 0; time < 120; time++) await book(service, slots.shift()!)
  const { provider, appointment, webhook } = await withSql(service, async client => {
    const made = `insert into webhook (crm_id, url, secret, after_era, after_xid, after_id)
      select crm_id, 'https://example.org/', '', 1, '0', 0 from provider order by id limit 1 returning uuid`
    const { rows } = await client.query(
      'select provider.uuid as provider, appointment.uuid as appointment from provider, appointment order by provider.id, appointment.id desc limit 1',
    )
    return { ...rows[0], webhook: (await client.query(made)).rows[0].uuid } as Record<string, string>
  })
  const ask = (path: string): Reading => ({ work: () => request(service, 'GET', path) })
  const own = (path: string) => ask(`/console/api/providers/${provider}/${path}`)
  const list = (path: string) => ask(`/crms/${crm}${seeded.path}/${path}`)
  const old = new Date(Date.now() - 400 * 86_400_000).toISOString()
  const half = new Date(Date.now() - 180 * 86_400_000).toISOString()
  const [day, nextWeek] = [seeded.days[0], seeded.days[7]]
  const readings: Record<string, Reading> = {
    'log of a Provider': own('audit'),
    '... about Products': own('audit?about=product'),
    '... by people in the console': own('audit?actor=console'),
    'log of a CRM': ask(`/console/api/crms/${crm}/audit`),
    '... about Products, in the console': ask(`/console/api/crms/${crm}/audit?about=product&actor=console`),
    'log of the installation': ask('/console/api/audit'),
    '... about Products ': ask('/console/api/audit?about=product'),
    '... by people in the console ': ask('/console/api/audit?actor=console'),
    'history of an Appointment': ask(`/console/api/appointments/${appointment}`),
    'Appointments changed in a year, first 50': list(`appointments?limit=50&changedSince=${old}`),
    'Appointments changed in half a year, first 50': list(`appointments?limit=50&changedSince=${half}`),
    'Customers changed in a year, first 50': list(`customers?limit=50&changedSince=${old}`),
    'replay of a webhook since half a year': {
      work: () => request(service, 'POST', `/crms/${crm}/webhooks/${webhook}/replay`, { since: half }),
    },
    'Customers, first 50': list('customers?limit=50'),
    'Customer by email': list('customers?email=visitor3@example.org'),
    'Customers found by one letter': own('customers?search=a'),
    'Customers found by three letters': own('customers?search=ann'),
    'Customers found by two words': own('customers?search=ann%20wi'),
    'Customers found by two letters': own('customers?search=a%20b'),
    'Customers found by a name and a letter': own('customers?search=abc%20d'),
    'Customers found by two syllables': own('customers?search=ab%20cd'),
    'the newest Customers': own('customers'),
    session: ask('/console/api/session'),
    'CRMs to choose from': ask('/console/api/crms'),
    'CRMs found by name': ask('/console/api/crms?search=ben'),
    'a week of the calendar': own(`calendar?from=${day}&to=${nextWeek}`),
  }
  return { pid: service.pid, readings }
}
