// What operators watch: it counts what happened, and everything that dashboard, alerts and docs name is really there.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { makePractice, makeRoom } from '../../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../../support/consumer.ts'
import { roomsOf } from '../../support/rooms.ts'
import { useService } from '../../support/service.ts'

const test = await useService()
const consumer = asConsumer(overApp(test.app))
const practice = await makeRoom(test.crm, await makePractice(test.crm))

const rooms = roomsOf(() => ({ test, practice, consumer }))
const scrape = async () => (await test.app.inject('/metrics')).body
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

/** The value of a sample; 0 where there is none yet. */
const sampleIn = (text: string, sample: string) =>
  Number(
    text
      .split('\n')
      .find(line => line.startsWith(`${sample} `))
      ?.slice(sample.length) ?? 0,
  )

describe('/metrics', () => {
  it('counts holds, bookings, refusals by reason and lists', async () => {
    const room = await rooms.roomWith()
    const before = await scrape()
    const [slot] = slotsOf(await consumer.list(room.resource))
    await consumer.list(room.resource)
    await rooms.hold(room, slot!)
    expect((await consumer.reserve(room.resource, holdOf(slot!))).status).toBe(412)
    expect((await consumer.complete(room.resource, bookingOf(slot!, { email: 'no' }))).status).toBe(400)
    const other = (await rooms.slots(room))[0]!
    await rooms.book(room, other)
    const after = await scrape()
    const grown = (sample: string) => sampleIn(after, sample) - sampleIn(before, sample)
    expect({
      held: grown('holdfast_holds_total{kind="new"}'),
      booked: grown('holdfast_events_total{kind="participation.booked"}'),
      full: grown('holdfast_refusals_total{reason="full"}'),
      invalid: grown('holdfast_refusals_total{reason="invalid-field"}'),
      kept: grown('holdfast_lists_total{how="kept"}'),
      made: grown('holdfast_lists_total{how="made"}'),
    }).toEqual({ held: 1, booked: 1, full: 1, invalid: 1, kept: 1, made: 2 })
    expect(grown('holdfast_group_size_count{kind="complete"}')).toBeGreaterThan(0)
    expect(grown('holdfast_lock_wait_seconds_count')).toBeGreaterThan(0)
  })

  it('names no person, reference or address', async () => {
    expect(await scrape()).not.toMatch(/@|practice|127\.0\.0\.1/)
  })

  it('is read by Prometheus without complaint', async ({ skip }) => {
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: await scrape(), encoding: 'utf8' })
    if (checked.error) skip('promtool is not installed')
    // Its linter also has opinions about the metrics that Node's own library names.
    expect(checked.stderr.split('\n').filter(line => /holdfast|error/.test(line))).toEqual([])
  })
})

describe('what is watched', () => {
  const named = (text: string) => new Set(text.match(/\b(holdfast|nodejs|process)_[a-z0-9_]+/g))
  const files = ['deploy/prometheus/alerts.yml', 'deploy/grafana/holdfast.json', 'docs/operations.md']

  it.each(files)('%s names only metrics that there are', async path => {
    const known = new Set((await scrape()).match(/(?<=^# TYPE )\S+/gm))
    const bare = (name: string) => name.replace(/_(bucket|sum|count)$/, '')
    expect([...named(read(path))].filter(name => !known.has(name) && !known.has(bare(name)))).toEqual([])
  })

  it('every metric of the service and every alert is explained', async () => {
    const docs = read('docs/operations.md')
    const metrics = (await scrape()).match(/(?<=^# TYPE )holdfast_\S+/gm)!
    const alerts = read('deploy/prometheus/alerts.yml').match(/(?<=alert: )\w+/g)!
    expect([...metrics, ...alerts].filter(name => !docs.includes(`\`${name}`))).toEqual([])
  })

  it('the rules are rules', ({ skip }) => {
    const checked = spawnSync('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yml'], {
      encoding: 'utf8',
    })
    if (checked.error) skip('promtool is not installed')
    expect(checked.status, checked.stderr).toBe(0)
  })
})
