import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compilePattern, formatPattern, type Names, namesFor } from '../../src/rules/time/patterns.ts'
import { localParts } from '../../src/rules/time/time.ts'

const afternoon = '2026-03-04T15:07:09Z'

function names(language: string): Names {
  const found = namesFor(language)
  if (!found) throw new Error(`no names for ${language}`)
  return found
}

function show(pattern: string, language = 'en', time = afternoon): string {
  const compiled = compilePattern(pattern)
  if ('error' in compiled) throw new Error(JSON.stringify(compiled.error))
  return formatPattern(compiled.pattern, localParts(Date.parse(time), 0), names(language))
}

describe('letters', () => {
  test.each([
    ['yyyy-MM-dd', '2026-03-04'],
    ['yyyy-MM-dd HH:mm', '2026-03-04 15:07'],
    ['yyyy-MM', '2026-03'],
    ['yyyyMMdd', '20260304'],
    ['yy y', '26 2026'],
    ['MMMM MMM MM M', 'March Mar 03 3'],
    ['dd d', '04 4'],
    ['EEEE EEE EE E', 'Wednesday Wed Wed Wed'],
    ['HH H hh h', '15 15 03 3'],
    ['mm m ss s', '07 7 09 9'],
    ['h:mm a', '3:07 PM'],
    ['', ''],
    ['dd.MM.yyyy, HH:mm', '04.03.2026, 15:07'],
    ['yyyy年M月d日', '2026年3月4日'],
  ])('%s', (pattern, expected) => {
    expect(show(pattern)).toBe(expected)
  })

  test.each([
    ['2026-03-04T00:05:00Z', '12:05 AM', '00:05'],
    ['2026-03-04T11:59:00Z', '11:59 AM', '11:59'],
    ['2026-03-04T12:00:00Z', '12:00 PM', '12:00'],
    ['2026-03-04T23:00:00Z', '11:00 PM', '23:00'],
  ])('%s is %s', (time, twelve, twentyFour) => {
    expect(show('h:mm a', 'en', time)).toBe(twelve)
    expect(show('HH:mm', 'en', time)).toBe(twentyFour)
  })
})

describe('quotes', () => {
  test.each([
    ["d. MMMM 'um' HH 'Uhr'", '4. March um 15 Uhr'],
    ["h 'o''clock'", "3 o'clock"],
    ["''yy", "'26"],
    ["'yyyy''MM'", "yyyy'MM"],
    ["yyyy'T'HH", '2026T15'],
    ["'yyyy-MM-dd HH:mm' yyyy-MM-dd'T'HH:mm:ss", 'yyyy-MM-dd HH:mm 2026-03-04T15:07:09'],
  ])('%s', (pattern, expected) => {
    expect(show(pattern)).toBe(expected)
  })

  test.each(["HH 'Uhr", "'", "HH''' mm", "'abc''"])('%s is left open', pattern => {
    expect(compilePattern(pattern)).toEqual({ error: { reason: 'unterminated-quote' } })
  })
})

describe('refuses', () => {
  test.each([
    ['YYYY-MM-DD', 'YYYY'],
    ['yyyy-MM-dd Z', 'Z'],
    ['HH:mm:ss.SSS', 'SSS'],
    ['MMMMM', 'MMMMM'],
    ['yyyyy', 'yyyyy'],
    ['ddd', 'ddd'],
    ['yyyy-MM-ddd', 'ddd'],
    ['yyyyyy-MM-dd', 'yyyyyy'],
    ['HH:mmm', 'mmm'],
    ['HHHH:mm', 'HHHH'],
    ['HH Uhr', 'U'],
  ])('%s, naming %s', (pattern, letter) => {
    expect(compilePattern(pattern)).toEqual({ error: { reason: 'letter', letter } })
  })

  test('more than 200 characters', () => {
    expect(compilePattern('-'.repeat(200))).toHaveProperty('pattern')
    expect(compilePattern('-'.repeat(201))).toEqual({ error: { reason: 'too-long' } })
  })

  test('nothing makes it throw', () => {
    const letters = fc.string({ unit: fc.constantFrom(..."yMdEHhmsaQ'-. ä") })
    fc.assert(
      fc.property(fc.oneof(letters, fc.string()), pattern => {
        const compiled = compilePattern(pattern)
        if ('error' in compiled) return
        expect(formatPattern(compiled.pattern, localParts(0, 0), names('en'))).toBeTypeOf('string')
      }),
    )
  })
})

describe('languages', () => {
  test.each([
    ['de', 'Mittwoch, 4. März', 'Mi. Feb.'],
    ['fr', 'mercredi, 4. mars', 'mer. févr.'],
    ['pl', 'środa, 4. marca', 'śr. lut'],
    ['cs', 'středa, 4. března', 'st úno'],
    ['ja', '水曜日, 4. 3月', '水 2月'],
  ])('%s has the words of a date', (language, long, short) => {
    expect(show('EEEE, d. MMMM', language)).toBe(long)
    expect(show('EEE MMM', language, '2026-02-04T00:00:00Z')).toBe(short)
  })

  test.each(['th', 'fa', 'ar-SA', 'de-u-ca-islamic'])('%s counts by the same calendar', language => {
    const { months, weekdays } = names(language)
    expect(new Set(months).size).toBe(12)
    expect(new Set(weekdays).size).toBe(7)
    expect(show('yyyy-MM-dd', language)).toBe('2026-03-04')
    expect(names('de-u-ca-islamic').months[2]).toBe('März')
  })

  test('months begin in January and weeks on Monday', () => {
    const { months, weekdays, am, pm } = names('en')
    expect([months[0], months[11]]).toEqual(['January', 'December'])
    expect([weekdays[0], weekdays[6]]).toEqual(['Monday', 'Sunday'])
    expect([am, pm]).toEqual(['AM', 'PM'])
  })

  test('are asked for once', () => {
    expect(namesFor('it')).toBe(namesFor('it'))
  })

  test.each(['', 'x', 'de_DE', 'xx', 'english please', '../de', `de-x-${'a-'.repeat(20)}a`])(
    '%j is none',
    tag => {
      expect(namesFor(tag)).toBeNull()
    },
  )

  test('no text makes it throw', () => {
    fc.assert(fc.property(fc.string(), tag => void namesFor(tag)))
  })
})
