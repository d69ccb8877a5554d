import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inPassing } from '../../src/lib/in-passing.ts'

const timeOf = async (work: () => Promise<unknown>) => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

it('rests nine times as long as a step took, and gives back what it gave', async () => {
  const took = await timeOf(async () => expect(await inPassing(() => pause(20, 'done'))).toBe('done'))
  expect(took).toBeGreaterThan(180)
})

it('rests a second at most, and not at all where the step fails', async () => {
  expect(await timeOf(() => inPassing(() => pause(600)))).toBeLessThan(5000)
  const failed = timeOf(() =>
    expect(
      inPassing(async () => {
        await pause(100)
        throw new Error('gone')
      }),
    ).rejects.toThrow('gone'),
  )
  expect(await failed).toBeLessThan(1000)
})
