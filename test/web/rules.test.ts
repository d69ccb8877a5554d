// The widget's arithmetic, without a browser.

import { describe, expect, it } from 'vitest'
import { onlineCalendars } from '../../src/pages/links/calendar-links.ts'
import { splitCall } from '../../web/shared/call-link.ts'
import { addMonths, dayAfterKey, isDay, sameDayIn, weeksOf } from '../../web/shared/dates.ts'
import { check, noFields } from '../../web/shared/fields.ts'
import { countdown, duration, makeFormat } from '../../web/shared/format.ts'
import { firstWeekdayOf, pickLocale } from '../../web/shared/locale.ts'
import {
  byDay,
  choices,
  isTwin,
  nearest,
  partsOfDay,
  replaceSpan,
  type Slot,
} from '../../web/shared/slots.ts'
import { texts } from '../../web/shared/texts/index.ts'
import { splitDate, wholeMoment } from '../../web/shared/whole-date.ts'
import { monthBounds, offsetAt, offsetText, startOfDay } from '../../web/shared/zones.ts'
import { makeClock } from '../../web/widget/src/clock.ts'
import { readOptions } from '../../web/widget/src/options.ts'
import { problemFrom } from '../../web/widget/src/problems.ts'
import { addSpan, isCovered } from '../../web/widget/src/spans.ts'
import { initialState, onward, type State } from '../../web/widget/src/state.ts'
import { nothingOn } from '../../web/widget/src/why-closed.ts'

const at = (text: string) => Date.parse(text)

const slot = (start: string, more: Partial<Slot> = {}): Slot => ({
  start: at(start),
  end: at(start) + 1_800_000,
  resource: 'a',
  timeslot: 't',
  appointment: null,
  product: null,
  seats: 1,
  seatsLeft: 1,
  price: null,
  ...more,
})

describe('a day without times', () => {
  const holiday = { from: '2026-03-04T23:00:00Z', to: '2026-03-05T23:00:00Z', reason: 'Public holiday' }
  const place = (uuid: string, closures: object[]) =>
    ({ resource: { uuid }, closures }) as State['places'][number]
  const format = { ...makeFormat('en-GB'), day: () => 'Thursday' }
  const said = (places: State['places'], resource: string | null = null, zone = 'Europe/Berlin') =>
    nothingOn({ ...initialState, places, resource, zone, day: '2026-03-05' }, texts.en, format, 0)

  it('is closed for a reason if all Resources are closed, or the selected one', () => {
    const [shut, open] = [place('a', [holiday]), place('b', [])]
    expect(said([shut])).toBe('Closed on Thursday: Public holiday')
    expect(said([shut], null, 'Europe/London')).toBe('Closed on Thursday: Public holiday')
    expect(said([shut, open])).toBe('No available times on Thursday.')
    expect(said([shut, open], 'a')).toBe('Closed on Thursday: Public holiday')
  })

  it('is closed until a date if the closure continues, as is a month within it', () => {
    const spring = { from: '2026-02-27T23:00:00Z', to: '2026-03-06T23:00:00Z', reason: 'Spring break' }
    expect(said([place('a', [spring])])).toBe('Closed until Thursday (Spring break).')
    const long = { ...spring, to: '2026-04-06T22:00:00Z' }
    const of = (closure: object) =>
      nothingOn(
        { ...initialState, places: [place('a', [closure])], zone: 'Europe/Berlin', month: '2026-03' },
        texts.de,
        makeFormat('de-DE'),
        0,
      )
    expect(of(long)).toBe('Geschlossen (Spring break), wieder geöffnet ab Dienstag, 7. April.')
    expect(of(spring)).toBe('Keine freien Termine im März 2026.')
  })

  it('is not closed because of a lunch hour', () => {
    const noon = { ...holiday, from: '2026-03-05T11:00:00Z', to: '2026-03-05T12:00:00Z' }
    expect(said([place('a', [noon])])).toBe('No available times on Thursday.')
  })
})

describe('the month grid', () => {
  it('has six weeks that start with the first day of the week', () => {
    expect(weeksOf('2026-03', 1).map(week => week[0])).toEqual([
      '2026-02-23',
      '2026-03-02',
      '2026-03-09',
      '2026-03-16',
      '2026-03-23',
      '2026-03-30',
    ])
    expect(weeksOf('2026-03', 7)[0]![0]).toBe('2026-03-01')
  })

  it.each([
    ['ArrowRight', false, '2026-03-05'],
    ['ArrowRight', true, '2026-03-03'],
    ['ArrowLeft', false, '2026-03-03'],
    ['ArrowUp', false, '2026-02-25'],
    ['ArrowDown', false, '2026-03-11'],
    ['Home', false, '2026-03-02'],
    ['End', false, '2026-03-08'],
    ['PageUp', false, '2026-02-04'],
    ['PageDown', false, '2026-04-04'],
    ['a', false, null],
  ])('moves with %s (right to left: %s) to %s', (key, rightToLeft, day) => {
    expect(dayAfterKey('2026-03-04', key, 1, rightToLeft)).toBe(day)
  })

  it('handles short months and rejects invalid days', () => {
    expect(sameDayIn('2026-01-31', '2026-02')).toBe('2026-02-28')
    expect(addMonths('2026-12', 1)).toBe('2027-01')
    expect(['2026-02-29', '2026-2-1', 'x', null].map(isDay)).toEqual([false, false, false, false])
  })
})

describe('zones', () => {
  it.each([
    ['Europe/Berlin', '2026-03-28T12:00Z', 60],
    ['Europe/Berlin', '2026-03-30T12:00Z', 120],
    ['America/St_Johns', '2026-01-15T12:00Z', -210],
    ['Australia/Lord_Howe', '2026-01-15T12:00Z', 660],
    ['Australia/Lord_Howe', '2026-07-15T12:00Z', 630],
  ])('%s at %s is %i minutes from UTC', (zone, instant, minutes) => {
    expect(offsetAt(at(instant), zone)).toBe(minutes)
  })

  it('formats offsets', () => {
    expect([0, 60, -210, 345].map(offsetText)).toEqual(['UTC', 'UTC+1', 'UTC−3:30', 'UTC+5:45'])
  })

  it('starts a day at its first instant, also if midnight is skipped', () => {
    expect(startOfDay('2026-03-29', 'Europe/Berlin')).toBe(at('2026-03-28T23:00Z'))
    expect(startOfDay('2026-03-30', 'Europe/Berlin')).toBe(at('2026-03-29T22:00Z'))
    // In Santiago the clock goes from 24:00 to 01:00 on this day.
    expect(startOfDay('2026-09-06', 'America/Santiago')).toBe(at('2026-09-06T04:00Z'))
  })

  it('bounds a month with a clock change', () => {
    const { from, to } = monthBounds('2026-03', 'Europe/Berlin')
    expect((to - from) / 3_600_000).toBe(31 * 24 - 1)
  })
})

describe('slots', () => {
  it('are grouped by the day and the part of the day in the shown zone', () => {
    const late = slot('2026-03-04T21:30Z')
    expect([...byDay([late], 'Europe/Berlin').keys()]).toEqual(['2026-03-04'])
    expect([...byDay([late], 'Asia/Tokyo').keys()]).toEqual(['2026-03-05'])
    expect(partsOfDay([late], 'Asia/Tokyo')[0]![0]).toBe('morning')
    expect(partsOfDay([late], 'Europe/Berlin')[0]![0]).toBe('evening')
  })

  it('of a fetched period replace everything known about it', () => {
    const known = [slot('2026-03-01T09:00Z'), slot('2026-03-02T09:00Z'), slot('2026-03-03T09:00Z')]
    const span = { from: at('2026-03-02T00:00Z'), to: at('2026-03-03T00:00Z') }
    const fetched = [slot('2026-03-02T10:00Z'), slot('2026-03-09T10:00Z')]
    const starts = replaceSpan(known, span, fetched).map(one =>
      new Date(one.start).toISOString().slice(8, 13),
    )
    expect(starts).toEqual(['01T09', '02T10', '03T09'])
  })

  it('show one of several resources at the same time, an available one if there is one', () => {
    const full = slot('2026-03-04T09:00Z', { seatsLeft: 0 })
    const free = slot('2026-03-04T09:00Z', { resource: 'b' })
    expect(choices([full, free], null)).toEqual([free])
    expect(choices([full, free], 'a')).toEqual([full])
    expect(isTwin(full, [full, free])).toBe(true)
    expect(isTwin(full, [full, slot('2026-03-04T10:00Z', { resource: 'b' })])).toBe(false)
  })

  it('nearest to a lost one are in chronological order', () => {
    const hours = ['06', '08', '09', '11', '15']
    const all = [slot('2026-03-04T10:00Z'), ...hours.map(hour => slot(`2026-03-04T${hour}:00Z`))]
    const near = nearest(all, at('2026-03-04T10:00Z')).map(one => new Date(one.start).getUTCHours())
    expect(near).toEqual([8, 9, 11])
  })
})

describe('fetched periods', () => {
  it('merge where they touch', () => {
    const spans = addSpan(addSpan(addSpan([], { from: 0, to: 10 }), { from: 20, to: 30 }), {
      from: 10,
      to: 20,
    })
    expect(spans).toEqual([{ from: 0, to: 30 }])
    expect(isCovered(spans, { from: 5, to: 25 })).toBe(true)
    expect(isCovered(spans, { from: 5, to: 31 })).toBe(false)
  })
})

describe('the next available time', () => {
  const [march, may] = [slot('2026-03-04T09:00Z'), slot('2026-05-04T09:00Z')]
  const now = at('2026-03-01T00:00Z')
  const april = at('2026-04-30T00:00Z')
  const until = (to: number) => ({ ...initialState, resource: 'a', covered: [{ from: now, to }] })

  it.each([
    ['later', { ...until(at('2026-06-01T00:00Z')), slots: [march, may] }, may],
    ['nowhere while what follows is not known', { ...until(april), slots: [march] }, null],
    ['at the beginning when nothing follows', { ...until(Infinity), slots: [march] }, march],
  ])('is %s', (_where, state, wanted) => {
    expect(onward(state, april, now)).toBe(wanted)
  })
})

describe('the clock', () => {
  it('follows the service and never shows more time than is left', () => {
    const clock = makeClock(() => at('2026-03-04T05:00:00Z'))
    clock.learn('Wed, 04 Mar 2026 09:00:00 GMT')
    expect(clock.now()).toBe(at('2026-03-04T09:00:01Z'))
    clock.learn('nonsense')
    expect(clock.now()).toBe(at('2026-03-04T09:00:01Z'))
  })

  it('formats minutes and durations', () => {
    expect([125, 60, 9, 0].map(countdown)).toEqual(['2:05', '1:00', '0:09', '0:00'])
    expect([30, 60, 90, 1440, 3000, 20_160].map(minutes => duration(minutes, texts.de))).toEqual([
      '30 Min.',
      '1 Std.',
      '1 Std. 30 Min.',
      '1 Tag',
      '2 Tage 2 Std.',
      '14 Tage',
    ])
  })
})

describe('the form', () => {
  it.each([
    ['ann@example.org', undefined],
    ['ann', 'invalidEmail'],
    ['ann@example', 'invalidEmail'],
    ['a b@example.org', 'invalidEmail'],
    ['', 'enterEmail'],
  ])('finds %s: %s', (email, error) => {
    expect(check({ ...noFields, firstname: 'A', lastname: 'W', email }).email).toBe(error)
  })

  it('requires names that are not blank, and a message of at most 1024 characters', () => {
    const fields = { ...noFields, firstname: ' ', email: 'a@b.de', message: 'x'.repeat(1025) }
    expect(check(fields)).toEqual({
      firstname: 'enterFirstname',
      lastname: 'enterLastname',
      message: 'tooLong',
    })
  })
})

describe('the calendar entry', () => {
  const entry = {
    uid: 'u@h',
    start: at('2026-03-29T00:30Z'),
    end: at('2026-03-29T01:30Z'),
    title: 'Talk; with, commas',
    place: 'Straße '.repeat(20),
    details: 'one\ntwo',
  }

  it('is a link with the same instants', () => {
    expect(new URL(onlineCalendars.outlook(entry)).searchParams.get('startdt')).toBe('2026-03-29T00:30:00Z')
  })
})

describe('languages', () => {
  it.each([
    [['fr'], ['en-GB'], 'fr', 'fr'],
    [[null, 'de'], ['de-AT', 'en'], 'de', 'de-AT'],
    [['xx'], ['pt-BR', 'it-IT'], 'it', 'it-IT'],
    [[''], ['pt-BR'], 'en', 'en'],
  ])('of %j and a browser with %j: %s, %s', (preferred, browser, language, tag) => {
    expect(pickLocale(preferred, browser)).toMatchObject({ language, tag })
  })

  it('decide the first day of the week', () => {
    expect(['de-DE', 'en-US', 'en-GB'].map(firstWeekdayOf)).toEqual([1, 7, 1])
  })

  it('have every text in every language', () => {
    const keys = Object.keys(texts.en)
    for (const language of Object.values(texts)) expect(Object.keys(language)).toEqual(keys)
  })

  it('name days in their own language', () => {
    const named = (tag: string) => makeFormat(tag).day('2026-03-04')
    expect(['en-GB', 'en-US', 'de-DE', 'fr-FR', 'es-ES', 'it-IT'].map(named)).toEqual([
      'Wednesday, 4 March',
      'Wednesday, March 4',
      'Mittwoch, 4. März',
      'mercredi 4 mars',
      'miércoles, 4 de marzo',
      'mercoledì 4 marzo',
    ])
  })

  it.each([
    ['2026-10-24T23:30:00Z', 'Europe/Berlin', '01:30'],
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '02:30 (UTC+2)'],
    ['2026-10-25T01:30:00Z', 'Europe/Berlin', '02:30 (UTC+1)'],
    ['2026-10-25T02:00:00Z', 'Europe/Berlin', '03:00'],
    ['2026-03-29T01:30:00Z', 'Europe/Berlin', '03:30'],
    ['2026-04-04T14:45:00Z', 'Australia/Lord_Howe', '01:45 (UTC+11)'],
    ['2026-04-04T15:15:00Z', 'Australia/Lord_Howe', '01:45 (UTC+10:30)'],
  ])('tell two equal times apart when clocks go back: %s in %s', (instant, zone, text) => {
    expect(makeFormat('en-GB').time(at(instant), zone)).toBe(text)
    expect(makeFormat('en-GB').when(at(instant), zone).endsWith(text)).toBe(true)
  })
})

it('reads the attributes of the element', () => {
  const given: Record<string, string> = {
    ref: 'a@x, b@x',
    'base-url': 'https://book.example.org/',
    product: ' ',
  }
  const page = {
    moduleUrl: 'https://cdn.example.org/widget.js',
    pageLanguage: 'es',
    browserLanguages: ['de'],
  }
  const options = readOptions(name => given[name] ?? null, page)
  expect(options).toMatchObject({ refs: ['a@x', 'b@x'], baseUrl: 'https://book.example.org', product: null })
  expect(options.locale.language).toBe('es')
  expect(readOptions(() => null, page).baseUrl).toBe('https://cdn.example.org')
})

it.each([
  [412, '201', 'taken'],
  [412, '202', 'twice'],
  [403, 'channel-hidden', 'hidden'],
  [403, 'not-invited', 'not-invited'],
  [404, 'not-found', 'unknown'],
  [429, 'too-many-requests', 'busy'],
  [500, 'internal', 'broken'],
])('maps %i %s to %s', (status, code, kind) => {
  expect(problemFrom(status, code, null, 0).kind).toBe(kind)
})

describe('a line with a date', () => {
  it.each([
    ['Friday, 20 November 2026', ['Friday, ', '20 November 2026', '']],
    ['Freitag, 20. November 2026 23:30 –', ['Freitag, ', '20. November 2026', ' 23:30 –']],
    ['17:30 – 18:00', ['', '', '17:30 – 18:00']],
  ])('is split after the weekday and before a time: %s', (line, parts) => {
    expect(splitDate(line)).toEqual(parts)
  })
})

describe('a short moment', () => {
  it.each([
    ['Tue, 17 Nov 2026, 10:00 (Berlin time)', ['Tue,_17_Nov_2026,', '10:00', '(Berlin_time)']],
    ['Nov 17, 2026, 10:00 AM (New York time)', ['Nov_17,_2026,', '10:00_AM', '(New_York_time)']],
    [
      'Di., 17. Nov. 2026, 10:00 Uhr (Zeit in Berlin)',
      ['Di.,_17._Nov._2026,', '10:00_Uhr', '(Zeit_in_Berlin)'],
    ],
    ['mar. 17 nov. 2026, 10:00 (UTC+1)', ['mar._17_nov._2026,', '10:00', '(UTC+1)']],
  ])('breaks only between date, time and zone: %s', (brief, pieces) => {
    expect(wholeMoment(brief).replaceAll('\u00a0', '_').split(' ')).toEqual(pieces)
  })
})

describe('a place', () => {
  it.each([
    ['https://meet.example.org/a?b=c', ['', 'https://meet.example.org/a?b=c', '']],
    ['Zoom: https://zoom.us/j/1 (code 22)', ['Zoom: ', 'https://zoom.us/j/1', ' (code 22)']],
    ['Online (https://meet.example.org/a).', ['Online (', 'https://meet.example.org/a', ').']],
    [
      'Zoom: https://zoom.us/j/1 Help: https://zoom.us/help Code: 22',
      ['Zoom: ', 'https://zoom.us/j/1', ' Help: https://zoom.us/help Code: 22'],
    ],
    ['<https://zoom.us/j/1>;', ['<', 'https://zoom.us/j/1', '>;']],
    ['+49 30 123 45-67', ['', '+49 30 123 45-67', '']],
    ['Hauptstr. 5, 10115 Berlin', ['Hauptstr. 5, 10115 Berlin']],
    ['101', ['101']],
  ])('%s can be a call', (place, parts) => expect(splitCall(place).slice(0, 3)).toEqual(parts))
})
