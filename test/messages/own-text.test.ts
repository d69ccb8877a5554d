// What a business adds to its emails: a small part of Markdown that can break nothing else.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { languages } from '../../src/languages.ts'
import { checkOwnText } from '../../src/messages/content/own-text.ts'
import { renderEmail } from '../../src/messages/email/render.ts'
import { type BookingData, messageKinds, textKinds } from '../../src/rules/messages/messages.ts'
import { maxEmailText, placeholders } from '../../web/shared/placeholders.ts'
import { sentenceOf } from '../support/refusals.ts'
import { booking, dataFor } from './samples.ts'

const write = (text: string | null, data: Partial<BookingData> = {}) =>
  renderEmail('booked', 'en', booking(data), text)
const named = (name: string) => ({ consumer: { name, email: 'anna@example.org', mobile: null } })
const hrefs = (html: string) => Array.from(html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g), match => match[1])
const tags = (html: string) => Array.from(html.matchAll(/<(\/?[a-z][a-z0-9]*)\b/g), match => match[1])
const every = Object.keys(placeholders)
  .map(name => `{${name}}`)
  .join(' | ')

describe('Markdown', () => {
  it('has paragraphs, bold, italics, lists and links, in HTML and in text', () => {
    const { html, text } = write(
      'Bring your **card**\nand *time*.\n\n- one\n- [two](https://example.org/a?b=1&c=2)\n\n3. three\n4. four\n\nhttps://example.org/bare [call](tel:+49301) desk@example.org',
    )
    expect(html).toMatch(/Bring your <strong>card<\/strong><br>and <em>time<\/em>\.<\/p>/)
    expect(html).toMatch(
      /<ul [^>]*><li [^>]*>one<\/li><li [^>]*><a [^>]*href="https:\/\/example.org\/a\?b=1&amp;c=2"[^>]*>two<\/a><\/li><\/ul>/,
    )
    expect(html).toMatch(/<ol [^>]*start="3"[^>]*><li [^>]*>three<\/li><li [^>]*>four<\/li><\/ol>/)
    expect(hrefs(html)).toEqual(
      expect.arrayContaining(['https://example.org/bare', 'tel:+49301', 'mailto:desk@example.org']),
    )
    expect(text).toContain(
      'Bring your card\nand time.\n\n- one\n- two (https://example.org/a?b=1&c=2)\n\n3. three\n4. four\n\nhttps://example.org/bare call (+49301) desk@example.org\n\n',
    )
  })

  it('shows everything else as it was typed', () => {
    const typed =
      '# Head\n\n<b onclick="x">no</b> ![logo](https://example.org/x.png) `code` ~~gone~~\n\n| a | b |\n|---|---|\n| 1 | 2 |'
    const { html, text } = write(typed)
    expect(text).toContain(typed)
    expect(tags(html).filter(tag => ['h2', 'b', 'code', 'del'].includes(tag!))).toEqual([])
    expect(html.match(/<img/g)).toEqual(write(null).html.match(/<img/g))
  })

  it('keeps a list within a list as text', () => {
    expect(write('- one\n  - inner\n- two').text).toContain('- one\n- inner\n- two\n')
  })
})

describe('placeholders', () => {
  it('are filled in, in the language of the email', () => {
    expect(renderEmail('booked', 'de', booking(), every).text).toContain(
      'Anna Weber | Checkup | Dr. Köhler | Dienstag, 3. März 2026 | 10:00 Uhr | Hauptstr. 5, 10115 Berlin, DE | Praxis am Park',
    )
  })

  it('that are empty leave no gap', () => {
    expect(write('Hello {customer}, see you.', named('')).text).toContain('\nHello, see you.\n')
  })

  it('are not filled in by values', () => {
    expect(write('Dear {customer}', named('{business}')).text).toContain('Dear {business}\n')
  })

  it.each(['https://evil.example', 'visit evil.com now', 'a@evil.example'])(
    'leave out the name %s, which mail programs would link',
    name => {
      expect(write('Dear {customer}!', named(name)).text).toContain('\nDear!\n')
    },
  )
})

describe('a text is refused', () => {
  it.each([
    ['Hi {nmae}', '{nmae} is not a placeholder'],
    ['Hi {first name}', '{first name} is not a placeholder'],
    ['[x](https://example.org/{customer})', 'cannot contain placeholders'],
    ['https://example.org/{customer}', 'cannot contain placeholders'],
    ['[x](javascript:alert(1))', 'The link javascript:alert(1) must start with'],
    ['- **[x](data:text/html,x)**', 'must start with'],
    ['[x](example.org)', 'must start with'],
  ])('%s', (text, message) => {
    expect(sentenceOf(() => checkOwnText('en', text))).toContain(message)
  })

  it.each(['>', '_a<', '*a_', '[', '1]_', '~&*'])('full of %s', mark => {
    const began = performance.now()
    expect(sentenceOf(() => checkOwnText('en', mark.repeat(maxEmailText / mark.length)))).toContain(
      'at most 200',
    )
    expect(performance.now() - began).toBeLessThan(50)
  })

  it.each(['{ customer }', every, '[x](mailto:a@example.org)', '{}', 'a {\nb}'])('unlike %j', text => {
    expect(() => checkOwnText('en', text)).not.toThrow()
  })
})

describe('no text and no name breaks the email', () => {
  const bits = [
    ...[
      '<',
      '>',
      '"',
      "'",
      '&',
      '`',
      '*',
      '_',
      '[',
      ']',
      '(',
      ')',
      '!',
      '\n',
      '\n\n',
      '- ',
      '1. ',
      '# ',
      '    ',
    ],
    ...[
      '{customer}',
      '{',
      '}',
      'https://example.org',
      'javascript:x',
      '<a href="https://evil.example">',
      '</td>',
    ],
    ...[
      '<!--',
      '-->',
      '</style>',
      '<script>',
      '&lt;',
      '\\',
      '|',
      '\u202e',
      '\u2028',
      'www.evil.example',
      'x',
    ],
  ]
  const piece = (maxLength: number) =>
    fc.array(fc.constantFrom(...bits), { maxLength }).map(parts => parts.join(''))
  const name = piece(3)
  const text = fc.tuple(piece(12), piece(12)).map(parts => parts.join('{customer}'))
  const plain = write(null)

  it('adds only paragraphs, lists and safe links of its own, between details and buttons', () => {
    fc.assert(
      fc.property(text, name, (text, name) => {
        const { html, subject, ics } = write(text, named(name))
        const bare = write(null, named(name))
        expect([subject, ics]).toEqual([bare.subject, bare.ics])
        // What stands before and after the text is the same as without it.
        const start = bare.html.indexOf(
          '<div style="margin:0 0 12px"><table role="presentation" class="button-box"',
        )
        const tail = bare.html.slice(start)
        expect(html.endsWith(tail)).toBe(true)
        const head = bare.html.slice(0, bare.html.length - tail.length).trimEnd()
        expect(html.startsWith(head)).toBe(true)
        const own = html.slice(head.length, -tail.length)
        expect(own.replace(/<\/?(p|ul|ol|li|strong|em|a|br)( [^<>]*)?>/g, '')).not.toMatch(/[<>]/)
        for (const href of hrefs(own)) expect(href).toMatch(/^(https?:\/\/|mailto:|tel:)/)
        expect(hrefs(own).join()).not.toContain('customer')
      }),
      { numRuns: 80 },
    )
  })

  it('makes no link of a name, whatever the text is', () => {
    fc.assert(
      fc.property(text, name, (text, name) => {
        const links = (data: Partial<BookingData>) => hrefs(write(text, data).html)
        expect(links(named(name))).toEqual(links(named('Anna')))
      }),
      { numRuns: 40 },
    )
    expect(plain.html).not.toContain('evil')
  })
})

describe('every email', () => {
  it.each(textKinds)('%s shows it in every language, and nothing else changes', kind => {
    for (const language of languages) {
      const bare = renderEmail(kind, language, dataFor(kind))
      const { text, html, ...rest } = renderEmail(kind, language, dataFor(kind), 'Our **own** {service}')
      expect([text, html]).toEqual([
        expect.stringContaining('Our own Checkup\n'),
        expect.stringContaining('Our <strong>own</strong> Checkup'),
      ])
      expect(rest).toEqual({ subject: bare.subject, ics: bare.ics })
      expect(hrefs(html)).toEqual(hrefs(bare.html))
      expect(text.replace('Our own Checkup\n\n', '')).toBe(bare.text)
    }
  })

  it('to staff, logins and strangers has none', () => {
    const others = messageKinds.filter(kind => !textKinds.includes(kind))
    expect(others).toContain('booking-notice')
    for (const kind of others)
      expect(renderEmail(kind, 'en', dataFor(kind), 'Own')).toEqual(renderEmail(kind, 'en', dataFor(kind)))
  })

  it('about a request that the customer withdrew has none', () => {
    const data = booking({ withdrawn: true })
    expect(renderEmail('declined', 'en', data, 'Own')).toEqual(renderEmail('declined', 'en', data))
  })
})
