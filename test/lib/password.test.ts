import { expect, it } from 'vitest'
import { hashPassword, isPassword, usualCost } from '../../src/lib/password.ts'
import { makeService } from '../../src/start/make-service.ts'
import { useService } from '../support/service.ts'

const test = await useService()
const cheap = test.service.passwordCost

it('a service takes what makes guessing dear, and only tests take less', () => {
  expect(makeService(test.service).passwordCost).toEqual({ N: 32_768, r: 8, p: 3 })
  expect(cheap).not.toEqual(usualCost)
})

it('a password is read at what it cost when it was set, whatever others cost now', async () => {
  const dear = { N: 1024, r: 8, p: 2 }
  for (const [then, now] of [
    [dear, cheap],
    [cheap, dear],
  ] as const) {
    const kept = await hashPassword('correct horse battery', then)
    expect(kept).toMatch(new RegExp(`^scrypt\\$${then.N}\\$${then.r}\\$${then.p}\\$`))
    expect(await isPassword('correct horse battery', kept, now)).toBe(true)
    expect(await isPassword('correct horse batterx', kept, now)).toBe(false)
  }
})

it('where there is none, the answer is no, and takes its time', async () => {
  const before = performance.now()
  expect(await isPassword('wrong', null, usualCost)).toBe(false)
  // A tenth of what it takes. A busy machine makes it longer, nothing makes it shorter.
  expect(performance.now() - before).toBeGreaterThan(10)
})
