import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaultCost, hashPassword, isPassword } from '../../src/lib/password.ts'
import { hashingLimits } from '../../src/lib/password-threads.ts'
import { makeService } from '../../src/start/make-service.ts'
import { expectRefusal } from '../support/refusals.ts'
import { call, useService } from '../support/service.ts'

const holdfast = await useService()
const { service } = holdfast
const cheap = service.passwordCost
const at = (passwordCost: typeof cheap) => ({ ...service, passwordCost })

it('a service requires an expensive hash; only tests use a cheaper one', () => {
  expect(makeService(service).passwordCost).toEqual({ N: 32_768, r: 8, p: 3 })
  expect(cheap).not.toEqual(defaultCost)
})

it('verifies a password with the cost it was set with', async () => {
  const dear = { N: 1024, r: 8, p: 2 }
  for (const [then, now] of [
    [dear, cheap],
    [cheap, dear],
  ] as const) {
    const kept = await hashPassword(at(then), 'ann', 'correct horse battery')
    expect(kept).toMatch(new RegExp(`^scrypt\\$${then.N}\\$${then.r}\\$${then.p}\\$`))
    expect(await isPassword(at(now), 'ann', 'correct horse battery', kept)).toBe(true)
    expect(await isPassword(at(now), 'ann', 'correct horse batterx', kept)).toBe(false)
  }
})

it('refuses a login without a password, in the same time', async () => {
  const before = performance.now()
  expect(await isPassword(at(defaultCost), 'ann', 'wrong', null)).toBe(false)
  // A tenth of the real time. A busy machine makes it longer, and nothing makes it shorter.
  expect(performance.now() - before).toBeGreaterThan(10)
})

describe('many password checks', () => {
  /** Takes both threads until it is called. */
  function occupy() {
    const { promise, resolve } = Promise.withResolvers<void>()
    const all = Array.from({ length: hashingLimits.concurrency }, () =>
      service.passwordHashing.run('attacker', () => promise),
    )
    return () => {
      resolve()
      return Promise.all(all)
    }
  }
  const attempt = (asker: string) => isPassword(service, asker, 'wrong', null)

  it('run one or two at a time, and a few wait; the rest are refused with a time to retry', async () => {
    const release = occupy()
    const tries = Array.from({ length: 28 }, () => attempt('attacker'))
    const settled = Promise.allSettled(tries)
    expect([service.passwordHashing.running, service.passwordHashing.waiting]).toEqual([
      hashingLimits.concurrency,
      16,
    ])
    await release()
    expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(12)
  })

  it('beyond the queue get 429 with Retry-After', async () => {
    const release = occupy()
    const body = { email: 'ann@example.org', password: 'wrong' }
    service.passwordHashing.maxWaiting = 0
    const answer = await call(holdfast.app, 'POST', '/console/api/session/password', body)
    service.passwordHashing.maxWaiting = 16
    await release()
    expectRefusal(answer, 429, 'too-many-requests')
    expect(answer.headers['retry-after']).toBe('2')
  })

  it('do not block another address', async () => {
    const release = occupy()
    const done: string[] = []
    const note = (who: string) =>
      attempt(who).then(
        () => done.push(who),
        () => done.push(`${who} refused`),
      )
    const all = Array.from({ length: 16 }, () => note('attacker'))
    all.push(note('staff'))
    await release()
    await Promise.all(all)
    expect(done.filter(who => who.endsWith('refused'))).toEqual(['attacker refused'])
    expect(done.indexOf('staff')).toBeLessThan(5)
  })

  it("do not use Node's own threads, which compress responses and resolve names", async () => {
    // Both threads are running before the others are taken: starting one reads files.
    await Promise.all([attempt('ann'), attempt('ben')])
    const release = takeNodeThreads()
    const checked = await Promise.all([attempt('ann'), attempt('ben')])
    await release()
    expect(checked).toEqual([false, false])
  })
})

/** Opens pipes that have no writer yet: each occupies one of Node's threads until it is released. */
function takeNodeThreads() {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-pipes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const count = Number(process.env.UV_THREADPOOL_SIZE ?? 4)
  const pipes = Array.from({ length: count }, (_, index) => join(folder, String(index)))
  spawnSync('mkfifo', pipes)
  const readers = pipes.map(pipe => open(pipe, 'r'))
  return async () => {
    const taken = new Set<number>()
    while (taken.size < count)
      for (const [index, pipe] of pipes.entries())
        try {
          if (!taken.has(index)) closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
          taken.add(index)
        } catch {
          // Its reader has not started yet.
          await new Promise(resolve => setImmediate(resolve))
        }
    for (const reader of readers) await (await reader).close()
  }
}
