// Metrics count correctly, and everything that the dashboard, alerts and docs name exists.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { version } from '../../../src/lib/root.ts'
import { makePractice, makeRoom } from '../../support/build.ts'
import { asConsumer, bookingOf, holdOf, overApp, slotsOf } from '../../support/consumer.ts'
import { roomsOf } from '../../support/rooms.ts'
import { useService } from '../../support/service.ts'

const holdfast = await useService()
const consumer = asConsumer(overApp(holdfast.app))
const practice = await makeRoom(holdfast.crm, await makePractice(holdfast.crm))

const rooms = roomsOf(() => ({ holdfast, practice, consumer }))
const scrape = async () => (await holdfast.app.inject('/metrics')).body
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

/** The value of a sample; 0 if there is none yet. */
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

  it('shows readiness and the running version', async () => {
    const text = await scrape()
    expect(sampleIn(text, 'holdfast_ready')).toBe(1)
    expect(text).toContain(`holdfast_build_info{version="${version}",node="${process.version}"} 1`)
  })

  it('contains no person, reference or address', async () => {
    expect(await scrape()).not.toMatch(/@|practice|127\.0\.0\.1/)
  })

  it('is valid for Prometheus', async ({ skip }) => {
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: await scrape(), encoding: 'utf8' })
    if (checked.error) skip('promtool is not installed')
    // The linter also reports metrics named by Node's own library.
    expect(checked.stderr.split('\n').filter(line => /holdfast|error/.test(line))).toEqual([])
  })
})

describe('monitoring files', () => {
  const named = (text: string) => new Set(text.match(/\b(holdfast|nodejs|process)_[a-z0-9_]+/g))
  const files = ['deploy/prometheus/alerts.yml', 'deploy/grafana/holdfast.json', 'docs/operations.md']

  it.each(files)('%s names only existing metrics', async path => {
    const known = new Set((await scrape()).match(/(?<=^# TYPE )\S+/gm))
    const bare = (name: string) => name.replace(/_(bucket|sum|count)$/, '')
    expect([...named(read(path))].filter(name => !known.has(name) && !known.has(bare(name)))).toEqual([])
  })

  it('document every metric and every alert', async () => {
    const docs = read('docs/operations.md')
    const metrics = (await scrape()).match(/(?<=^# TYPE )holdfast_\S+/gm)!
    const alerts = read('deploy/prometheus/alerts.yml').match(/(?<=alert: )\w+/g)!
    expect([...metrics, ...alerts].filter(name => !docs.includes(`\`${name}`))).toEqual([])
  })

  it('contain valid rules', ({ skip }) => {
    const checked = spawnSync('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yml'], {
      encoding: 'utf8',
    })
    if (checked.error) skip('promtool is not installed')
    expect(checked.status, checked.stderr).toBe(0)
  })

  it('raise the right alerts for recorded outages', ({ skip }) => {
    const checked = spawnSync('promtool', ['test', 'rules', 'deploy/prometheus/alerts.test.yml'], {
      encoding: 'utf8',
    })
    if (checked.error) skip('promtool is not installed')
    expect(checked.status, checked.stderr).toBe(0)
  })
})
