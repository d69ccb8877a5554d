import { describe, expect, it } from 'vitest'
import { joined } from '../../src/calendars/busy-spans.ts'
import { type ReadOptions, readCalendars } from '../../src/calendars/read-calendar.ts'
import { readInThread } from '../../src/calendars/read-in-thread.ts'

const options: ReadOptions = {
  zone: 'Europe/Berlin',
  from: Date.UTC(2026, 8, 1),
  to: Date.UTC(2027, 9, 1),
  tentativeIsBusy: true,
  withTitles: false,
  ownHosts: ['book.example.org'],
}

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const entry = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:a@made', ...lines, 'END:VEVENT'].join('\r\n')

const short = (ms: number) => new Date(ms).toISOString().slice(0, 16)
const read = (text: string, change: Partial<ReadOptions> = {}) =>
  joined(readCalendars([text], { ...options, ...change }).spans).map(
    one => `${short(one.from)} ${short(one.to)}`,
  )

const at10 = ['DTSTART;TZID=Europe/Berlin:20261020T100000', 'DTEND;TZID=Europe/Berlin:20261020T110000']

describe('repeated entries', () => {
  it('keep their wall clock when the clocks change', () => {
    expect(read(calendar(entry(...at10, 'RRULE:FREQ=WEEKLY;COUNT=2')))).toEqual([
      '2026-10-20T08:00 2026-10-20T09:00',
      '2026-10-27T09:00 2026-10-27T10:00',
    ])
  })

  it('end at UNTIL, in UTC or as a day', () => {
    const until = (text: string) => read(calendar(entry(...at10, `RRULE:FREQ=DAILY;UNTIL=${text}`))).length
    expect(until('20261022T080000Z')).toBe(3)
    expect(until('20261022T075959Z')).toBe(2)
    expect(until('20261022')).toBe(3)
  })

  it('leave out EXDATE, written as time, UTC time or day', () => {
    for (const exdate of [
      'EXDATE;TZID=Europe/Berlin:20261021T100000',
      'EXDATE:20261021T080000Z',
      'EXDATE;VALUE=DATE:20261021',
      'EXDATE:20261021T100000',
    ])
      expect(read(calendar(entry(...at10, 'RRULE:FREQ=DAILY;COUNT=3', exdate))), exdate).toEqual([
        '2026-10-20T08:00 2026-10-20T09:00',
        '2026-10-22T08:00 2026-10-22T09:00',
      ])
  })

  it('add RDATE, also as a period', () => {
    const rdate = 'RDATE;VALUE=PERIOD:20261201T100000Z/PT30M,20261202T100000Z/20261202T103000Z'
    expect(read(calendar(entry(...at10, rdate)))).toEqual([
      '2026-10-20T08:00 2026-10-20T09:00',
      '2026-12-01T10:00 2026-12-01T10:30',
      '2026-12-02T10:00 2026-12-02T10:30',
    ])
  })

  it('start with DTSTART even where the rule does not', () => {
    expect(read(calendar(entry(...at10, 'RRULE:FREQ=WEEKLY;BYDAY=TH;COUNT=1')))).toHaveLength(2)
  })

  const series = entry(...at10, 'RRULE:FREQ=DAILY;COUNT=4')
  const exception = (...lines: string[]) =>
    entry('RECURRENCE-ID;TZID=Europe/Berlin:20261021T100000', ...lines)

  it('follow exceptions: moved, cancelled, and for all later ones', () => {
    const later = ['DTSTART;TZID=Europe/Berlin:20261021T150000', 'DTEND;TZID=Europe/Berlin:20261021T153000']
    expect(read(calendar(series, exception(...later)))).toContain('2026-10-21T13:00 2026-10-21T13:30')
    expect(read(calendar(series, exception(...later)))).toHaveLength(4)
    expect(read(calendar(series, exception(...later, 'STATUS:CANCELLED')))).toHaveLength(3)
    const future = entry('RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261021T100000', ...later)
    expect(read(calendar(series, future))).toEqual([
      '2026-10-20T08:00 2026-10-20T09:00',
      '2026-10-21T13:00 2026-10-21T13:30',
      '2026-10-22T13:00 2026-10-22T13:30',
      '2026-10-23T13:00 2026-10-23T13:30',
    ])
  })

  it('count an exception without its series, as Google sends single invitations', () => {
    expect(read(calendar(exception(...at10)))).toEqual(['2026-10-20T08:00 2026-10-20T09:00'])
  })
})

describe('times', () => {
  it('are read in zones by IANA name, Windows name, prefix, and the table in the file', () => {
    const table = [
      'BEGIN:VTIMEZONE',
      'TZID:Customized Time Zone',
      'BEGIN:STANDARD',
      'DTSTART:16010101T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:16010101T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ].join('\r\n')
    for (const zone of [
      'Europe/Berlin',
      'W. Europe Standard Time',
      '/freeassociation.sourceforge.net/Europe/Berlin',
      'Customized Time Zone',
    ])
      expect(
        read(
          calendar(
            table,
            entry(`DTSTART;TZID=${zone}:20261020T100000`, 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=2'),
          ),
          { zone: 'Asia/Tokyo' },
        ),
        zone,
      ).toEqual(['2026-10-20T08:00 2026-10-20T09:00', '2026-10-27T09:00 2026-10-27T10:00'])
  })

  it('in a gap move forward; of those that occur twice the first counts', () => {
    const one = (start: string) =>
      read(calendar(entry(`DTSTART;TZID=Europe/Berlin:${start}`, 'DURATION:PT30M')))
    expect(one('20270328T023000')).toEqual(['2027-03-28T01:30 2027-03-28T02:00'])
    expect(one('20261025T023000')).toEqual(['2026-10-25T00:30 2026-10-25T01:00'])
  })

  it('of whole days and without a zone are those of the Resource', () => {
    const day = calendar(entry('DTSTART;VALUE=DATE:20270327', 'DTEND;VALUE=DATE:20270329'))
    expect(read(day)).toEqual(['2027-03-26T23:00 2027-03-28T22:00'])
    expect(read(day, { zone: 'America/New_York' })).toEqual(['2027-03-27T04:00 2027-03-29T04:00'])
    expect(read(calendar(entry('DTSTART:20261020T100000', 'DURATION:PT1H')))).toEqual([
      '2026-10-20T08:00 2026-10-20T09:00',
    ])
    expect(read(calendar(entry('DTSTART;VALUE=DATE:20261224')))).toEqual([
      '2026-12-23T23:00 2026-12-24T23:00',
    ])
  })
})

describe('what is not busy', () => {
  it.each([
    ['free', 'TRANSP:TRANSPARENT'],
    ['cancelled', 'STATUS:CANCELLED'],
    ['free in Outlook', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'],
  ])('%s', (_, line) => expect(read(calendar(entry(...at10, line)))).toEqual([]))

  it('tentative, by setting', () => {
    for (const line of ['STATUS:TENTATIVE', 'X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE']) {
      expect(read(calendar(entry(...at10, line)))).toHaveLength(1)
      expect(read(calendar(entry(...at10, line)), { tentativeIsBusy: false })).toEqual([])
    }
  })

  it('our own entries, but not those of another service', () => {
    const own = (uid: string) => read(calendar(entry(...at10).replace('UID:a@made', `UID:${uid}`)))
    expect(own('0b9c1a5e-6f2d-4c57-9a86-0d7a1b2c3d4e@book.example.org')).toEqual([])
    expect(own('0b9c1a5e-6f2d-4c57-9a86-0d7a1b2c3d4e@other.example.org')).toHaveLength(1)
    expect(own('mine@book.example.org')).toHaveLength(1)
  })

  it('free/busy lists say it themselves', () => {
    const list = [
      'BEGIN:VFREEBUSY',
      'UID:f',
      'FREEBUSY;FBTYPE=BUSY:20261020T080000Z/PT1H',
      'FREEBUSY;FBTYPE=FREE:20261021T080000Z/PT1H',
      'END:VFREEBUSY',
    ]
    expect(read(calendar(...list))).toEqual(['2026-10-20T08:00 2026-10-20T09:00'])
  })
})

describe('stored spans', () => {
  const spansOf = (...entries: string[]) =>
    readCalendars([calendar(...entries)], { ...options, withTitles: true }).spans

  it('merge what overlaps, with the titles of both, and last a day at most', () => {
    const other = at10.map(line => line.replace('T11', 'T12')).join('\r\n')
    const both = spansOf(entry(...at10, 'SUMMARY:One'), entry(other, 'SUMMARY:Two').replace('UID:a', 'UID:b'))
    expect(both).toMatchObject([{ title: 'One · Two' }])
    const week = spansOf(entry('DTSTART;VALUE=DATE:20261201', 'DTEND;VALUE=DATE:20261208'))
    expect(week).toHaveLength(7)
    expect(Math.max(...week.map(one => one.to - one.from))).toBe(86_400_000)
  })

  it('leave out one broken entry and count it', () => {
    const text = calendar(entry('DTSTART:nonsense'), entry(...at10).replace('UID:a', 'UID:b'))
    expect(readCalendars([text], options)).toMatchObject({ skipped: 1, spans: [{}] })
  })
})

describe('entries of one UID', () => {
  const at = (day: number, ...lines: string[]) =>
    entry(`DTSTART:202610${day}T100000Z`, `DTEND:202610${day}T110000Z`, ...lines)

  it('count all if none is newer', () => {
    expect(read(calendar(at(20, 'SEQUENCE:2'), at(21, 'SEQUENCE:3')))).toHaveLength(1)
    expect(read(calendar(at(20), at(21)))).toHaveLength(2)
  })

  it('are not those without any UID', () => {
    const text = calendar(at(20, 'SEQUENCE:0'), at(21, 'SEQUENCE:3')).replaceAll('UID:a@made\r\n', '')
    expect(read(text)).toHaveLength(2)
  })
})

describe('answers that are no calendar', () => {
  it.each([
    ['nothing', '', 'format'],
    ['a page', '<!doctype html><title>Log in</title>', 'format'],
    ['a calendar that breaks off', calendar(entry(...at10)).slice(0, -30), 'incomplete'],
    ['a calendar without its end', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n', 'incomplete'],
    ['an entry without its end', calendar('BEGIN:VEVENT', ...at10), 'format'],
  ])('%s', (_, text, code) =>
    expect(() => readCalendars([text], options)).toThrow(expect.objectContaining({ code })),
  )

  it('a rule that repeats every second is refused, and the event loop goes on meanwhile', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 10)
    const text = calendar(entry('DTSTART:20261020T100000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY'))
    await expect(readInThread([text], options)).rejects.toMatchObject({ code: 'many' })
    const endless = calendar(entry('DTSTART:20100101T100000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY'))
    await expect(readInThread([endless], options, 300)).rejects.toMatchObject({ code: 'repeats' })
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(10)
  })
})
