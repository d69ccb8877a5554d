import { describe, expect, test } from 'vitest'
import { messageKinds } from '../../src/rules/messages/messages.ts'
import { bareBooking, booking, write } from './samples.ts'

describe('a calendar part', () => {
  test('is attached to booked, moved, changed and cancelled emails only', () => {
    const methods = messageKinds.map(kind => [kind, write(kind).ics?.method ?? null])
    expect(Object.fromEntries(methods)).toEqual({
      ...Object.fromEntries(messageKinds.map(kind => [kind, null])),
      booked: 'REQUEST',
      moved: 'REQUEST',
      changed: 'REQUEST',
      cancelled: 'CANCEL',
    })
  })

  test('contains its method', () => {
    expect(partOf('booked')).toMatchObject({ METHOD: 'REQUEST', STATUS: 'CONFIRMED' })
    expect(partOf('cancelled')).toMatchObject({ METHOD: 'CANCEL', STATUS: 'CANCELLED' })
  })

  test('keeps the UID, and has the given sequence and stamp', () => {
    const later = booking({ sequence: 3, stamp: '2026-02-02T08:00:00Z', start: '2026-05-01T09:00:00Z' })
    expect(partOf('booked')).toMatchObject({ UID: booking().uid, SEQUENCE: '2', DTSTAMP: '20260201T080000Z' })
    expect(partOf('cancelled', later)).toMatchObject({
      UID: booking().uid,
      SEQUENCE: '3',
      DTSTAMP: '20260202T080000Z',
    })
  })

  test.each([
    ['Europe/Berlin', '2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z'],
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'],
    ['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z'],
    ['Australia/Lord_Howe', '2026-12-31T12:45:00Z', '2027-01-01T00:15:00Z'],
  ])('returns the same instants in %s: %s to %s', (timeZone, start, end) => {
    const part = partOf('booked', booking({ timeZone, start, end }))
    expect([instantOf(part.DTSTART), instantOf(part.DTEND)]).toEqual([start, end])
  })

  test('contains service, place, person and contact', () => {
    const part = partOf('booked')
    expect(part.SUMMARY).toBe('Checkup – Dr. Köhler')
    expect(part.LOCATION).toBe('Hauptstr. 5, 10115 Berlin, DE')
    expect(part.ORGANIZER).toBe('mailto:praxis@example.org')
    expect(part.ATTENDEE).toBe('MAILTO:anna@example.org')
    expect(part.DESCRIPTION).toBe(
      'Bring your card.\nCome early.\n\n' +
        'Front desk\nPhone: +49 30 123-456\nEmail: desk@example.org\nRoom: https://meet.example.org/abc\n\n' +
        'Reschedule appointment: https://book.example.org/move/k5\n\n' +
        'Cancel appointment: https://book.example.org/cancel/k1',
    )
  })

  test('offers no cancel link once cancelled', () => {
    expect(partOf('cancelled').DESCRIPTION).not.toContain('https://book.example.org')
  })

  test('leaves out missing values', () => {
    const names = Object.keys(partOf('booked', bareBooking()))
    expect(names).not.toEqual(expect.arrayContaining(['LOCATION']))
    expect(names).not.toEqual(expect.arrayContaining(['DESCRIPTION']))
    expect(names).not.toEqual(expect.arrayContaining(['ATTENDEE']))
  })

  test('ends each line with CRLF and folds it at 75 octets, whatever its content', () => {
    const long = 'Größe 👩‍👩‍👧 שלום; a, b\\n '.repeat(20)
    const content = contentOf('booked', booking({ productName: long, place: long, description: long }))
    expect(content.endsWith('END:VCALENDAR\r\n')).toBe(true)
    expect(content.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    for (const line of content.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(parse(content).LOCATION).toBe(long.trim())
  })

  test.each(['Win at https://evil.org', 'evil.org wins', 'a@evil.org', 'x'.repeat(81)])(
    'contains no advertisement: %s',
    name => {
      const consumer = { name, email: 'anna@example.org', mobile: null }
      for (const kind of ['booked', 'cancelled'] as const) {
        const content = contentOf(kind, booking({ consumer })).replaceAll('\r\n ', '')
        expect(content).not.toContain(name)
        expect(content).toContain('CN="anna@example.org"')
      }
    },
  )

  test('cannot be injected with lines', () => {
    const evil = 'x\r\nATTENDEE:mailto:evil@example.org\nMETHOD:PUBLISH\u2028Z:1'
    const consumer = { name: `"${evil}"`, email: 'anna@example.org', mobile: null }
    const provider = { ...booking().provider, name: evil }
    const part = {
      consumer,
      provider,
      resourceName: evil,
      productName: evil,
      place: evil,
      uid: evil,
      description: evil,
    }
    const lines = contentOf('booked', booking({ ...part, organizerEmail: `a@example.org\r\nX:1` }))
      .replaceAll('\r\n ', '')
      .split('\r\n')
    expect(lines.filter(line => /^(ATTENDEE|METHOD|X|Z)\b/.test(line))).toHaveLength(2)
  })
})

function partOf(kind: 'booked' | 'cancelled', data = booking()) {
  return parse(contentOf(kind, data))
}

function contentOf(kind: 'booked' | 'cancelled', data = booking()) {
  return write(kind, data).ics?.content ?? ''
}

/** As much of RFC 5545 as one event needs: unfold, split, drop parameters, undo escapes. */
function parse(content: string): Record<string, string> {
  const lines = content.replaceAll('\r\n ', '').trimEnd().split('\r\n')
  const pairs = lines.map(line => {
    const [_match, name = '', value = ''] = /^([A-Z-]+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/.exec(line) ?? []
    return [name, value.replace(/\\(.)/g, (_, char) => (char === 'n' ? '\n' : char))]
  })
  return Object.fromEntries(pairs)
}

function instantOf(value: string | undefined): string {
  return (value ?? '').replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
}
