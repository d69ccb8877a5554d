import { describe, expect, test } from 'vitest'
import { countryOfZone, mobileKey } from '../../src/rules/people/phones.ts'

describe('the key of a number', () => {
  test.each([
    '+49 171 1234567',
    '0049171 1234567',
    '00 49 (0)171-1234567',
    '+49 (0) 171 / 123 45 67',
    '0171 1234567',
    ' 0171/123.45.67 ',
  ])('%j is one and the same in Germany', text => {
    expect(mobileKey(text, 'DE')).toBe('+491711234567')
  })

  test('depends on the country only where the number names none', () => {
    expect(mobileKey('079 123 45 67', 'CH')).toBe('+41791234567')
    expect(mobileKey('0171 1234567', 'AT')).not.toBe(mobileKey('0171 1234567', 'DE'))
    expect(mobileKey('+41 79 123 45 67', null)).toBe(mobileKey('079 123 45 67', 'CH'))
  })

  test('of what is no number is its letters and digits', () => {
    expect(mobileKey('+49 170 1', 'DE')).toBe('+491701')
    expect(mobileKey('ask Ann', 'DE')).toBe('askann')
    for (const nothing of [null, undefined, '', ' - ']) expect(mobileKey(nothing, 'DE')).toBeNull()
  })
})

test.each([
  ['Europe/Berlin', 'DE'],
  ['Europe/Vienna', 'AT'],
  ['Europe/Zurich', 'CH'],
  ['Asia/Kolkata', 'IN'],
  ['Europe/Kyiv', 'UA'],
  ['America/Argentina/Buenos_Aires', 'AR'],
  ['US/Eastern', 'US'],
  ['europe/berlin', 'DE'],
  ['UTC', null],
])('clocks in %s are of %s', (zone, country) => {
  expect(countryOfZone(zone)).toBe(country)
})
