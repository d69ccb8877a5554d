import { expect, it } from 'vitest'
import { askHolidays } from '../../src/lib/holidays.ts'

const question = { country: 'DE', year: 2032, language: 'de' }
const namesOf = (answer: Awaited<ReturnType<typeof askHolidays>>) =>
  answer.kind === 'known' ? answer.holidays.map(one => one.name) : []

it('caches answers by the exact question', async () => {
  const others = [{ language: 'fr' }, { state: 'BY' }].map(change => ({ ...question, ...change }))
  const [german, french, bavarian] = await Promise.all([question, ...others].map(askHolidays))
  expect([namesOf(german!), namesOf(french!), namesOf(bavarian!)]).toEqual([
    expect.arrayContaining(['Neujahr']),
    expect.arrayContaining(['Nouvel An']),
    expect.arrayContaining(['Fronleichnam']),
  ])
  expect(namesOf(german!)).not.toContain('Fronleichnam')
  expect(await askHolidays({ ...question, state: null })).toBe(german)
})
