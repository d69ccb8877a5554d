import { describe, expect, test } from 'vitest'
import { languages, pickLanguage } from '../../src/languages.ts'
import { renderEmail } from '../../src/messages/email/render.ts'
import { isAboutBooking, leaveOutEmpty, messageKinds, messages } from '../../src/rules/messages/messages.ts'
import { formatAddress } from '../../src/rules/people/addresses.ts'
import { contrast } from '../../web/shared/color.ts'
import { bareBooking, booking, dataFor, write } from './samples.ts'

const everyMail = messageKinds.flatMap(kind => languages.map(language => ({ kind, language })))
const bookingKinds = messageKinds.filter(isAboutBooking)

describe.each(everyMail)('$kind in $language', ({ kind, language }) => {
  test.each([
    ['with everything known', booking()],
    ['with nothing known that need not be', bareBooking()],
  ])('has a subject, a text and an HTML part, %s', (_, data) => {
    const mail = write(kind, data, language)
    expect(mail.subject).toMatch(/^\S.*\S$/)
    expect(mail.html).toContain(`<html lang="${language}"`)
    for (const part of [mail.subject, mail.text, mail.html, mail.ics?.content ?? '']) {
      expect(part).not.toMatch(/\b(undefined|null|NaN|Invalid)\b|\[object/)
    }
    // An empty value would leave its label or a comma.
    const [_first, ...body] = mail.text.split('\n')
    expect(body.join('\n')).not.toMatch(/: *\n(?! |http)|, *\n|\n\n\n/)
  })

  test('is identical when rendered again', () => {
    expect(write(kind, booking(), language)).toEqual(write(kind, booking(), language))
  })

  test.each([booking(), bareBooking()])('is identical when rendered from stored data', data => {
    const made = { ...dataFor(kind, { ...data, isVisit: false, locale: null }), place: null }
    const stored = JSON.parse(JSON.stringify(made, leaveOutEmpty))
    expect(JSON.stringify(stored)).not.toMatch(/null|false/)
    expect(renderEmail(kind, language, stored)).toEqual(renderEmail(kind, language, made))
  })
})

test.each([
  ['en', 'Tuesday, 3\u00a0March\u00a02026'],
  ['es', 'martes, 3\u00a0de\u00a0marzo\u00a0de\u00a02026'],
] as const)('the date breaks after the weekday only, in %s', (language, date) => {
  expect(write('booked', booking({ locale: null }), language).html).toContain(`>${date}</p>`)
})

test('every email has its own subject in every language', () => {
  const subjects = everyMail.map(({ kind, language }) => write(kind, booking(), language).subject)
  expect(new Set(subjects).size).toBe(everyMail.length)
})

describe.each(bookingKinds)('%s', kind => {
  test.each(languages)('names service, time and zone in subject, text and HTML (%s)', language => {
    const mail = write(kind, booking(), language)
    expect(mail.subject).toMatch(/Checkup/)
    expect(mail.subject).toMatch(/2026, 10:00( Uhr)? \((.+ )?Berl[ií]no?( time)?\)/)
    for (const part of [mail.text, mail.html]) {
      expect(part).toMatch(/10:00 – 10:30/)
      expect(part).toMatch(/Berl[ií]no?( time)? \(UTC\+1\)/)
      expect(part).toContain('Checkup – Dr. Köhler')
      expect(part).toContain('Praxis am Park GmbH')
    }
  })

  test('contains only the links for its reader', () => {
    const { text, html, ics } = write(kind)
    const expected: Record<string, string[]> = {
      booked: ['move/k5', 'cancel/k1'],
      requested: ['move/k5', 'cancel/k1'],
      moved: ['move/k5', 'cancel/k1'],
      changed: ['move/k5', 'cancel/k1'],
      message: ['move/k5', 'cancel/k1'],
      reminder: ['move/k5', 'cancel/k1'],
      'request-notice': ['accept/k2', 'decline/k3'],
    }
    for (const part of [text, html]) {
      const found = new Set(part.match(/(cancel|move|accept|decline)\/k\d/g))
      expect([...found]).toEqual(expected[kind] ?? [])
    }
    expect(ics?.content.replaceAll('\r\n ', '') ?? '').not.toMatch(/accept\/|decline\//)
  })

  test('contains only the messages for its reader', () => {
    const { text, html } = write(kind)
    const toConsumer = messages[kind].to === 'consumer'
    for (const part of [text, html]) {
      expect(part.includes('Is there a lift?')).toBe(!toConsumer)
      expect(part.includes('See you soon')).toBe(
        toConsumer || ['cancel-notice', 'change-notice'].includes(kind),
      )
      expect(part.includes('anna@example.org')).toBe(!toConsumer)
    }
  })
})

describe('buttons', () => {
  const links = (html: string) =>
    [...html.matchAll(/class="(?:button-)?link[^>]* href="[^"]*?\/(\w+)\/k\d/g)].map(([_match, page]) => page)
  const bookAgain = { previous: null }

  test.each([
    ['booked', {}, ['booked', 'move', 'cancel', 'my']],
    ['moved', {}, ['booked', 'move', 'cancel', 'my']],
    ['reminder', {}, ['booked', 'move', 'cancel', 'my']],
    ['requested', {}, ['move', 'cancel', 'my']],
    ['cancelled', bookAgain, ['book', 'my']],
    ['declined', bookAgain, ['book', 'my']],
    // Only the request to move was declined: the booking is still there.
    ['declined', {}, ['my']],
  ] as const)('of %s %j are in order', (kind, change, expected) => {
    const { html } = write(kind, booking(change))
    expect(links(html)).toEqual(expected)
    expect(html.match(/class="button button-primary"/g)?.length ?? 0).toBeLessThanOrEqual(1)
    // Beside others it is only a link, alone it is the way on.
    expect(/class="button-link[^>]*\/my\//.test(html)).toBe(expected.length === 1)
  })
})

test('an email has the price only when something is booked, and a map for a place to visit', () => {
  const map = 'https://www.google.com/maps/search/?api=1&amp;query=Hauptstr.%205%2C%2010115%20Berlin%2C%20DE'
  for (const kind of ['booked', 'requested'] as const) expect(write(kind).html).toContain('€45')
  for (const kind of ['reminder', 'moved', 'cancelled', 'booking-notice'] as const)
    expect(write(kind).html).not.toContain('€45')
  expect(write('booked').html).toContain(map)
  expect(write('booked', booking({ isVisit: false })).html).not.toContain('google.com/maps')
})

describe('a place that is a call', () => {
  const address = `https://meet.example.org/rooms/${'a1'.repeat(30)}?pwd=Zm9v`
  const at = (place: string) => write('booked', booking({ isVisit: false, place }))

  test('is joined by a link in words; the text part has its address', () => {
    for (const place of [address, `Zoom: ${address}.`]) {
      const { text, html } = at(place)
      expect(html).toMatch(new RegExp(`href="${RegExp.escape(address)}"[^>]*>Join online<`))
      expect(html.split(address)).toHaveLength(2)
      expect(text).toMatch(new RegExp(`Join online\n +${RegExp.escape(address)}\n`))
      expect(text.includes('Zoom')).toBe(place !== address)
    }
  })

  test('can be a phone number alone', () => {
    expect(at('+49 40 123-45').html).toContain('href="tel:+494012345"')
    expect(at('Room 2, +49 40 123-45').html).not.toContain('tel:+494012345')
    expect(write('booked', booking({ place: '030 1234567' })).html).not.toContain('tel:030')
  })
})

test('who asks to reschedule can keep their appointment, and sees when it is', () => {
  const asked = write('requested')
  expect(asked.text).toContain('Currently: Monday, 2 March 2026')
  expect(asked.text).toContain('Prefer to keep your current appointment?')
  const { text } = write('requested', booking({ previous: null }))
  expect(text).toContain('No longer need the appointment?')
})

test('in a series only the new time is the link, not the one before', () => {
  const pageLink = 'https://book.example.org/booked/k8'
  const { text, html } = write('moved', booking({ dates: [booking({ pageLink })] }))
  expect(html).toMatch(/10:30<\/a><br><span[^>]*>previously Monday, 2 March/)
  expect(text).toContain('10:30 (previously Monday, 2 March 2026')
})

test.each(['de', 'fr'] as const)('short words do not break at their hyphen (%s)', language => {
  const { html } = write('requested', booking(), language)
  for (const word of language === 'de' ? ['E-Mail'] : ['rendez-vous', 'e-mail'])
    expect(html).toContain(`<span style="white-space:nowrap">${word}`)
})

test('the dates of a wish have no leading zero (it)', () => {
  expect(write('waiting-confirm', booking(), 'it').text).toContain('2–13 marzo 2026')
})

test('every email to a customer links to their own page, and no other does', () => {
  const dates = [booking(), booking()]
  for (const kind of messageKinds.filter(one => one !== 'my-link')) {
    const isSeries = isAboutBooking(kind) && !['changed', 'change-notice', 'message'].includes(kind)
    for (const data of [booking(), ...(isSeries ? [booking({ dates })] : [])]) {
      const { text, html } = write(kind, data)
      const isTheirs = messages[kind].to === 'consumer'
      for (const part of [text, html]) expect([kind, part.includes('/my/k7')]).toEqual([kind, isTheirs])
    }
  }
})

describe('untrusted text', () => {
  const hostile = `<script>alert("1")</script> & 'x' \u202e👩‍👩‍👧 שלום\r\nBcc: all@example.org\u2028<img src=x>`
  const data = booking({
    consumer: { name: hostile, email: `"><b>@example.org`, mobile: hostile },
    provider: {
      name: hostile,
      email: hostile,
      impressum: hostile,
      accentColor: 'red;}</style><b>',
      logoUrl: `x"onerror="`,
    },
    resourceName: hostile,
    productName: hostile,
    description: hostile,
    place: hostile,
    contact: { name: hostile, channels: [{ type: 'link', label: hostile, value: hostile }] },
    message: hostile,
    note: hostile,
  })

  test.each(everyMail)('is escaped and stays on its line: $kind in $language', ({ kind, language }) => {
    const { subject, html } = write(kind, data, language)
    expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u)
    expect(html).not.toMatch(/<(script|img|b)\b|<\/style><b>|onerror|\u202e/)
    expect(html.match(/<\/style>/g)).toHaveLength(1)
  })

  test('is shown as written', () => {
    const { html, subject } = write('booking-notice', data)
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39; 👩‍👩‍👧 שלום')
    expect(subject).toContain('<script>alert("1")</script> & \'x\' 👩‍👩‍👧 שלום')
  })

  test('keeps its line breaks, whatever their form', () => {
    const { text, html } = write(
      'booked',
      booking({ message: 'one\r\ntwo\rthree\u0085four\u2028five\n\n\n\nsix' }),
    )
    expect(text).toContain('  one\n  two\n  three\n  four\n  five\n\n  six\n')
    expect(html).toContain('one<br>two<br>three<br>four<br>five<br><br>six<')
  })

  test('neither makes a subject endless nor splits an emoji', () => {
    const name = `Ann ${'👩‍👩‍👧'.repeat(100)}`
    const { subject } = write('booking-notice', booking({ consumer: { ...data.consumer, name } }))
    expect(subject).toMatch(/Ann (👩‍👩‍👧){56}…$/u)
  })

  test('becomes a link only if it is a web, email or phone address', () => {
    const channels = [
      { type: 'video', label: null, value: 'javascript:alert(1)' },
      { type: 'link', label: null, value: ' https://example.org/?a=1&b="x ' },
      { type: 'link', label: null, value: 'https://example.org/?a=1&b="x' },
      { type: 'link', label: null, value: 'javascript://example.org/%0aalert(1)' },
      { type: 'messenger', label: null, value: 'data:text/html,x' },
      { type: 'email', label: null, value: 'a@example.org?subject=x' },
      { type: 'phone', label: null, value: '030 (12) 34-56' },
      { type: 'mobile', label: null, value: 'call me' },
    ] as const
    const { html } = write(
      'booked',
      booking({
        contact: { name: 'Desk', channels: [...channels] },
        cancelLink: 'vbscript:x',
        moveLink: 'vbscript:y',
        calendarLink: 'vbscript:w',
        isVisit: false,
        myLink: 'vbscript:z',
      }),
    )
    const web = 'https://example.org/?a=1&amp;b=&quot;x'
    expect([...html.matchAll(/href="([^"]*)"/g)].map(match => match[1])).toEqual([web, web, 'tel:030123456'])
  })

  test('is not used as a greeting if the name is an advertisement', () => {
    for (const name of [
      'Win at https://evil.example',
      'visit evil.com now',
      'a@evil.example',
      'x'.repeat(81),
    ]) {
      const consumer = { name, email: 'victim@example.org', mobile: null }
      for (const kind of ['verification', 'booked', 'requested'] as const) {
        expect(write(kind, booking({ consumer })).text).toMatch(/^Hello,\n/)
      }
    }
    expect(write('booked').text).toMatch(/^Hello Anna Weber,\n/)
    const consumer = { name: 'Dr. J. R. Smith-Jones', email: null, mobile: null }
    expect(write('booked', booking({ consumer })).text).toMatch(/^Hello Dr. J. R. Smith-Jones,\n/)
  })
})

test.each([
  ['#7c3aed', '#7c3aed'],
  ['#FD0', '#ffdd00'],
  ['#ffffff', '#ffffff'],
  ['#000', '#000000'],
  ['red', '#0b6e69'],
  [null, '#0b6e69'],
])('the accent colour %s gives a readable button in %s', (accentColor, expected) => {
  const provider = { ...booking().provider, accentColor }
  const { html } = write('request-notice', booking({ provider }))
  const fill = /class="button button-primary" bgcolor="(.{7})"/.exec(html)?.[1] ?? ''
  const ink = /button-primary-link"[^>]*;color:(.{7});/.exec(html)?.[1] ?? ''
  const link = /class="link"[^>]*style="color:(.{7});/.exec(html)?.[1] ?? ''
  expect(fill).toBe(expected)
  expect(contrast(ink, fill)).toBeGreaterThanOrEqual(4.5)
  expect(contrast(link, '#ffffff')).toBeGreaterThanOrEqual(4.5)
})

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['FR_ca', 'fr'],
  ['es-419', 'es'],
  ['deu', 'en'],
  ['pt-BR', 'en'],
  ['', 'en'],
  [null, 'en'],
  [undefined, 'en'],
])('the language tag %s is read as %s', (tag, language) => {
  expect(pickLanguage(tag, 'en')).toBe(language)
})

test.each([
  [
    { street: 'Hauptstr.', number: '5', zip: '10115', city: 'Berlin', countryCode: 'de' },
    'Hauptstr. 5, 10115 Berlin, DE',
  ],
  [{ street: '', number: '', zip: '', city: 'Bern' }, 'Bern'],
  [{ street: 'A', number: '1', zip: '2', city: 'B\r\nC' }, 'A 1, 2 B C'],
  ['2nd floor\nroom 3', '2nd floor room 3'],
  [' ', null],
  [{}, null],
  [null, null],
])('the address %j is %j on one line', (address, line) => {
  expect(formatAddress(address)).toBe(line)
})
