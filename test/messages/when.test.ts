import { describe, expect, test } from 'vitest'
import { whenOf } from '../../src/messages/content/when.ts'

const when = (
  start: string,
  end: string,
  timeZone: string,
  language: 'de' | 'en' | 'fr' | 'es' | 'it' = 'de',
) => whenOf({ start, end, timeZone }, language)

describe('the zone', () => {
  test.each([
    ['Europe/Berlin', '2026-01-15', 'de', 'Zeit in Berlin (UTC+1)'],
    ['Europe/Berlin', '2026-07-15', 'de', 'Zeit in Berlin (UTC+2)'],
    ['Europe/Berlin', '2026-07-15', 'en', 'Berlin time (UTC+2)'],
    ['Europe/Paris', '2026-01-15', 'fr', 'Heure de Paris (UTC+1)'],
    ['Europe/London', '2026-01-15', 'en', 'London time (UTC)'],
    ['America/New_York', '2026-01-15', 'en', 'New York time (UTC−5)'],
    ['America/New_York', '2026-07-15', 'en', 'New York time (UTC−4)'],
    ['Australia/Lord_Howe', '2026-01-15', 'en', 'Lord Howe time (UTC+11)'],
    ['Australia/Lord_Howe', '2026-07-15', 'en', 'Lord Howe time (UTC+10:30)'],
    ['America/St_Johns', '2026-01-15', 'de', 'Zeit in St Johns (UTC−3:30)'],
    ['Europe/Vienna', '2026-01-15', 'de', 'Zeit in Wien (UTC+1)'],
    ['Europe/Athens', '2026-01-15', 'fr', 'Heure d’Athènes (UTC+2)'],
    ['Europe/Zurich', '2026-01-15', 'es', 'Hora de Zúrich (UTC+1)'],
    ['Europe/Rome', '2026-01-15', 'it', 'Ora di Roma (UTC+1)'],
    ['Etc/GMT+5', '2026-01-15', 'de', 'UTC−5'],
    ['UTC', '2026-01-15', 'en', 'UTC'],
  ] as const)('%s on %s in %s is %s', (timeZone, day, language, zone) => {
    expect(when(`${day}T12:00:00Z`, `${day}T12:30:00Z`, timeZone, language).zone).toBe(zone)
  })
})

describe('date and times', () => {
  test.each([
    ['de', 'Dienstag, 3. März 2026', '10:00 – 10:30 Uhr', 'Di., 3. März 2026, 10:00 Uhr (Zeit in Berlin)'],
    ['en', 'Tuesday, 3 March 2026', '10:00 – 10:30', 'Tue, 3 Mar 2026, 10:00 (Berlin time)'],
    ['fr', 'mardi 3 mars 2026', '10:00 – 10:30', 'mar. 3 mars 2026, 10:00 (heure de Berlin)'],
    ['es', 'martes, 3 de marzo de 2026', '10:00 – 10:30', 'mar, 3 mar 2026, 10:00 (hora de Berlín)'],
    ['it', 'martedì 3 marzo 2026', '10:00 – 10:30', 'mar 3 mar 2026, 10:00 (ora di Berlino)'],
  ] as const)('are written in %s as people write them there', (language, day, hours, brief) => {
    const written = when('2026-03-03T09:00:00Z', '2026-03-03T09:30:00Z', 'Europe/Berlin', language)
    expect(written.lines).toEqual([day, hours])
    expect(written.sentence).toBe(`${day}, ${hours}`)
    expect(written.brief).toBe(brief)
  })

  test('use the zone, not UTC', () => {
    const early = when('2026-07-15T23:30:00Z', '2026-07-16T00:00:00Z', 'Australia/Lord_Howe')
    expect(early.lines).toEqual(['Donnerstag, 16. Juli 2026', '10:00 – 10:30 Uhr'])
    const late = when('2026-07-16T00:30:00Z', '2026-07-16T01:00:00Z', 'America/New_York')
    expect(late.lines).toEqual(['Mittwoch, 15. Juli 2026', '20:30 – 21:00 Uhr'])
  })

  test('start at 00:00, not at 24:00', () => {
    expect(when('2026-07-14T22:00:00Z', '2026-07-14T22:30:00Z', 'Europe/Berlin').lines[1]).toBe(
      '00:00 – 00:30 Uhr',
    )
  })

  test('name both days past midnight', () => {
    const night = when('2026-03-03T22:30:00Z', '2026-03-03T23:30:00Z', 'Europe/Berlin')
    expect(night.lines).toEqual(['Dienstag, 3. März 2026, 23:30 Uhr –', 'Mittwoch, 4. März 2026, 00:30 Uhr'])
    expect(night.sentence).toBe(night.lines.join(' '))
  })

  test('show one time if start and end are equal', () => {
    expect(when('2026-03-03T09:00:00Z', '2026-03-03T09:00:00Z', 'Europe/Berlin').lines[1]).toBe('10:00 Uhr')
  })
})

describe('a clock change during the appointment', () => {
  test('gives each time its own zone (the double hour in Berlin)', () => {
    const hour = when('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', 'Europe/Berlin')
    expect(hour.lines).toEqual(['Sonntag, 25. Oktober 2026', '02:30 Uhr (UTC+2) – 02:30 Uhr (UTC+1)'])
    expect(hour.zone).toBe('Zeit in Berlin (UTC+2 – UTC+1)')
  })

  test('gives each time its own zone (the gap in New York)', () => {
    const hour = when('2026-03-08T06:30:00Z', '2026-03-08T07:30:00Z', 'America/New_York', 'en')
    expect(hour.lines[1]).toBe('01:30 (UTC−5) – 03:30 (UTC−4)')
  })

  test('is half an hour on Lord Howe', () => {
    const hour = when('2026-04-04T14:30:00Z', '2026-04-04T15:30:00Z', 'Australia/Lord_Howe', 'en')
    expect(hour.lines[1]).toBe('01:30 (UTC+11) – 02:00 (UTC+10:30)')
  })

  test('is shown past midnight as well', () => {
    const night = when('2026-10-24T21:30:00Z', '2026-10-25T02:30:00Z', 'Europe/Berlin', 'en')
    expect(night.lines).toEqual([
      'Saturday, 24 October 2026, 23:30 (UTC+2) –',
      'Sunday, 25 October 2026, 03:30 (UTC+1)',
    ])
  })
})
