import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runAtLowPriority } from '../../src/lib/run-in-steps.ts'

const timeOf = async (work: () => Promise<unknown>) => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

it('rests nine times as long as a step took, and returns its result', async () => {
  const took = await timeOf(async () => expect(await runAtLowPriority(() => pause(20, 'done'))).toBe('done'))
  expect(took).toBeGreaterThan(180)
})

it('rests a second at most, and not at all if the step fails', async () => {
  expect(await timeOf(() => runAtLowPriority(() => pause(600)))).toBeLessThan(5000)
  const failed = timeOf(() =>
    expect(
      runAtLowPriority(async () => {
        await pause(100)
        throw new Error('gone')
      }),
    ).rejects.toThrow('gone'),
  )
  expect(await failed).toBeLessThan(1000)
})
