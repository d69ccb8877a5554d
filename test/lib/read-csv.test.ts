import { describe, expect, it } from 'vitest'
import { csvCell } from '../../src/lib/csv.ts'
import {
  csvRows,
  type Delimiter,
  decode,
  detectDelimiter,
  detectEncoding,
  splitHint,
} from '../../src/lib/read-csv.ts'
import { guessMapping } from '../../src/rules/imports/fields.ts'
import {
  guessDateOrder,
  readClock,
  readDay,
  readDecimal,
  readMoment,
} from '../../src/rules/imports/values.ts'

/** The same sequence in every run. */
function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const pieces = [
  'Ann',
  'Müller',
  '"',
  "'",
  ',',
  ';',
  '\t',
  '\n',
  '=1+1',
  '@x',
  ' ',
  'É',
  '3.4.1985',
  '12,5',
  '€',
  '-',
]

const encoded = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-8 with a mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'utf-16le without a mark': (text: string) => Buffer.from(text, 'utf16le'),
  'windows-1252': (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1'),
}

async function read(bytes: Buffer): Promise<string[][]> {
  const { hint, rest } = splitHint(decode(bytes, detectEncoding(bytes)))
  const rows: string[][] = []
  for await (const row of csvRows(rest, hint ?? detectDelimiter(rest))) rows.push(row)
  return rows
}

describe('a CSV file', () => {
  it.each(Object.entries(encoded))('is read as it was written, in %s', async (_, encode) => {
    for (let seed = 1; seed <= 40; seed++) {
      const next = random(seed)
      const delimiter = ([',', ';', '\t'] as Delimiter[])[next(3)]!
      const columns = 2 + next(4)
      const cell = () => Array.from({ length: next(5) }, () => pieces[next(pieces.length)]).join('')
      const rows = [
        Array.from({ length: columns }, (_, index) => `Spalte ü${index}`),
        ...Array.from({ length: 1 + next(8) }, () => Array.from({ length: columns }, cell)),
      ]
      const quote = (text: string) =>
        /["\n\r,;\t]/.test(text) || next(2) ? `"${text.replaceAll('"', '""')}"` : text
      const text = rows.map(row => row.map(quote).join(delimiter)).join(next(2) ? '\n' : '\r\n')
      const trimmed = rows.map(row => row.map(one => one.trim().replace(/^'(?=\s*[=+\-@])/, '')))
      expect(await read(encode(text)), `seed ${seed}`).toEqual(trimmed)
    }
  })

  it('that we exported comes back without the guard against formulas', async () => {
    const row = ['=1+1', '+49 170', '-5', '@ann', 'plain']
    expect((await read(Buffer.from(row.map(csvCell).join(','))))[0]).toEqual(row)
  })

  it('may name its delimiter', async () => {
    expect(await read(Buffer.from('sep=;\r\na,b;c\r\n1,2;3'))).toEqual([
      ['a,b', 'c'],
      ['1,2', '3'],
    ])
  })
})

describe('values', () => {
  it('of every day are read in German and English spellings', () => {
    for (let day = Date.UTC(1999, 11, 20), count = 0; count < 60; day += 7 * 86_400_000, count++) {
      const iso = new Date(day).toISOString().slice(0, 10)
      const [year, month, date] = iso.split('-').map(Number)
      const long = (tag: string) =>
        new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(day)
      expect(readDay(`${date}.${month}.${year}`, 'mdy')).toBe(iso)
      expect(readDay(`${date}/${month}/${year}`, 'dmy')).toBe(iso)
      expect(readDay(`${month}/${date}/${year}`, 'mdy')).toBe(iso)
      expect(readDay(`${iso} 00:00:00`, 'dmy')).toBe(iso)
      for (const tag of ['de', 'en-GB', 'en-US', 'fr', 'es', 'it'])
        expect(readDay(long(tag), 'dmy'), long(tag)).toBe(iso)
    }
    expect(readDay('31.2.1990', 'dmy')).toBeNull()
    expect(readDay('1.2.85', 'dmy', 2026)).toBe('1985-02-01')
    expect(readDay('1.2.26', 'dmy', 2026)).toBe('2026-02-01')
    expect(guessDateOrder(['1/2/2026', '1/13/2026'])).toBe('mdy')
    expect(guessDateOrder(['1/2/2026', '13/1/2026'])).toBe('dmy')
    expect(guessDateOrder(['1.2.2026'])).toBeNull()
  })

  it('of times and numbers are read in both languages', () => {
    for (const text of ['14:30', '14.30', '2:30 PM', '14:30:00', '14h30', '14:30 Uhr'])
      expect(readClock(text)).toBe('14:30')
    for (const text of ['9', '9 Uhr', '9 am']) expect(readClock(text)).toBe('09:00')
    for (const text of ['25:00', '9:60', 'noon', '13 pm']) expect(readClock(text)).toBeNull()
    expect(readMoment('7.1.2030, 9:05 Uhr', 'dmy')).toBe('2030-01-07T09:05')
    expect(readMoment('2030-01-07T09:05:00Z', 'dmy')).toBe('2030-01-07T09:05:00Z')
    expect(readMoment('7.1.2030', 'dmy')).toBeNull()
    const numbers = {
      '12,5': 12.5,
      '12.5': 12.5,
      '1.234,50': 1234.5,
      '1,234.50 €': 1234.5,
      '1.234': 1234,
      '-3': -3,
      "1'000.00": 1000,
    }
    for (const [text, value] of Object.entries(numbers)) expect(readDecimal(text), text).toBe(value)
    for (const text of ['', 'x', '1.2.3', '12,34,5']) expect(readDecimal(text), text).toBeNull()
  })

  it('of headers are recognised in five languages', () => {
    const headers = {
      en: ['First Name', 'Last name', 'E-mail address', 'Date of birth', 'Postcode'],
      de: ['Vorname', 'Nachname', 'E-Mail-Adresse', 'Geburtsdatum', 'PLZ'],
      fr: ['Prénom', 'Nom', 'Courriel', 'Date de naissance', 'Code postal'],
      es: ['Nombre', 'Apellidos', 'Correo electrónico', 'Fecha de nacimiento', 'Código postal'],
      it: ['Nome', 'Cognome', 'E-mail', 'Data di nascita', 'CAP'],
    }
    for (const [language, names] of Object.entries(headers))
      expect(guessMapping('customers', names, []), language).toEqual([
        'firstName',
        'lastName',
        'email',
        'birthDate',
        'zip',
      ])
  })
})
