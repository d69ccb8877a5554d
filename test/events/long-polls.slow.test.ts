import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeCustomer, makePractice } from '../support/build.ts'
import { expectRefusal } from '../support/refusals.ts'
import { eventually, useService } from '../support/service.ts'

const holdfast = await useService()
const practice = await makePractice(holdfast.crm)
const { eventListener } = holdfast.service

const poll = () => holdfast.crm.get('/events?after=now&wait=30')
const waiting = (count: number) => eventually(async () => eventListener.waiting.size === count)

async function waitAs(asker: string, crmId: number, signal: AbortSignal) {
  const filter = { kinds: null, providerIds: null }
  const waiter = await eventListener.enter({ asker, crmId, filter, watch: null })
  await eventListener.wait(waiter, 60_000, signal)
}

describe('requests that wait for events', () => {
  it('are limited to 100 per key, without affecting other keys', async () => {
    const polls = Array.from({ length: 100 }, poll)
    await waiting(100)
    const refused = await poll()
    expectRefusal(refused, 429, 'too-many-requests')
    expect(refused.headers['retry-after']).toBe('5')
    expect((await holdfast.otherCrm.get('/events?after=now&wait=1')).status).toBe(200)
    await makeCustomer(holdfast.crm, practice)
    for (const { status, body } of await Promise.all(polls))
      expect([status, body.events.length > 0]).toEqual([200, true])
  })

  it('are limited to 1,000 in total', async () => {
    const gone = new AbortController()
    onTestFinished(() => gone.abort())
    const wait = (asker: string) => waitAs(asker, -1, gone.signal)
    const all = Array.from({ length: 1_000 }, (_, index) => wait(`key:${index % 20}`))
    await expect(wait('key:new')).rejects.toMatchObject({ code: 'too-many-requests' })
    gone.abort()
    await Promise.all(all)
  })

  it('of one tenant give way to another tenant if all places are taken', async () => {
    const gone = new AbortController()
    onTestFinished(() => gone.abort())
    const wait = (key: string, crmId: number) => waitAs(key, crmId, gone.signal)
    let ended = 0
    const count = () => ended++
    const greedy = Array.from({ length: 1_000 }, (_, index) => wait(`key:${index % 20}`, -1).then(count))
    const modest = wait('key:modest', -2)
    await greedy[0]
    expect([ended, eventListener.waiting.size]).toEqual([1, 1_000])
    expect([...eventListener.waiting].filter(one => one.crmId === -2)).toHaveLength(1)
    await expect(wait('key:again', -1)).rejects.toMatchObject({ code: 'too-many-requests' })
    gone.abort()
    await Promise.all([...greedy, modest])
  })

  it('of a tenant with many are woken in turn with those of others', async () => {
    const other = await makePractice(holdfast.otherCrm)
    const many = Array.from({ length: 60 }, poll)
    await waiting(60)
    const one = holdfast.otherCrm.get('/events?after=now&wait=30')
    await waiting(61)
    const left = one.then(() => eventListener.waiting.size)
    // Both events are read from the log at once.
    clearTimeout(eventListener.timer!)
    await makeCustomer(holdfast.crm, practice)
    await makeCustomer(holdfast.otherCrm, other)
    await eventListener.look()
    await Promise.all([...many, one])
    expect(await left).toBeGreaterThan(20)
  })

  it('are woken one at a time, so that other requests are served in between', async () => {
    const polls = Array.from({ length: 20 }, poll)
    await waiting(20)
    const sizes = new Set<number>()
    const looking = setInterval(() => sizes.add(eventListener.waiting.size), 1)
    await makeCustomer(holdfast.crm, practice)
    await Promise.all(polls)
    clearInterval(looking)
    expect(sizes.size).toBeGreaterThan(10)
  })

  it('with the same cursor share one read of the log', async () => {
    const polls = Array.from({ length: 60 }, poll)
    await waiting(60)
    const query = vi.spyOn(holdfast.service.db, 'query')
    onTestFinished(() => query.mockRestore())
    const { customerReference } = await makeCustomer(holdfast.crm, practice)
    for (const { body } of await Promise.all(polls))
      expect(body.events.map((one: { data: { reference: string } }) => one.data.reference)).toEqual([
        customerReference,
      ])
    const reads = query.mock.calls.filter(([{ text }]) => /from event\b.*order by/s.test(text))
    // One, unless the machine is so busy that some come later.
    expect(reads.length).toBeLessThan(20)
  })
})
