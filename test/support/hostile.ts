// Text that breaks programs. It must not come back changed or cause a 500.

import { expect, it } from 'vitest'
import type { Answer } from './service.ts'

type Body = Record<string, unknown>

/** Valid in every text field. None has a control character, so references can contain them too. */
export const harmless: [string, string][] = [
  ['quotes', `O'Brien "Bob" \`tick\` „low“`],
  ['HTML', '<script>alert(1)</script><img src=x onerror=alert(1)>&amp;&lt;'],
  ['SQL', `'; drop table app_user; --`],
  ['SQL parameters and formats', `$1 $2 :name %s %d %n {0}`],
  ['templates', '$\u007bprocess.env} {{constructor}} #{7*7} <%= 1 %>'],
  ['backslashes', 'C:\\new\\table \\u0041 \\x41 \\'],
  ['emoji', '👩‍👩‍👧‍👦 🏳️‍🌈 𝒜'],
  ['right-to-left', 'שלום مرحبا \u202eevil\u202c'],
  ['combining marks', 'Z\u0351\u036b\u0343a\u0300 e\u0301 \u00e9'],
  ['invisible characters', 'a\u200b\u200d\ufeff\u00adb'],
  ['the edges of Unicode', '\ufffe\uffff\ufffd\u{10ffff}'],
  ['paths', '../../etc/passwd /..;/ %2e%2e%2f'],
  ['names of objects', '__proto__ constructor toString null undefined NaN true'],
  ['JSON', '{"a":["b",null]}'],
]

/** Text with several lines and control characters: for descriptions and names, not for references. */
export const controls: [string, string][] = [
  ['line breaks', 'one\ntwo\r\nthree\u2028four'],
  ['control characters', 'a\u0001\u001b[31m\u007f\u0085b'],
]

/** Text that PostgreSQL cannot store: half a character, NUL. Always refused. */
export const unstorable: [string, string][] = [
  ['NUL', 'a\0b'],
  ['a lone high surrogate', 'a\ud83d b'],
  ['a lone low surrogate', 'a\ude00 b'],
]

const long: [string, string][] = [['10,000 characters', 'ä'.repeat(10_000)]]

/** Fills all of these fields with each hostile text: they come back as they were, or 400 names one of them. */
export function keepsHostileText(
  fields: string[],
  post: (body: Body) => Promise<Answer>,
  recordOf: (answer: Answer) => Body | Promise<Body>,
) {
  const filled = (text: string) => Object.fromEntries(fields.map(field => [field, text]))

  it.each([...harmless, ...controls])(`keeps ${fields.join(', ')} as they are: %s`, async (_, text) => {
    const answer = await post(filled(text))
    expect(answer.status).toBe(201)
    expect(await recordOf(answer)).toMatchObject(filled(text))
  })

  it.each(unstorable)(`refuses ${fields.join(', ')} with %s`, async (_, text) => {
    for (const field of fields) {
      const { status, body } = await post({ [field]: text })
      expect([status, body.errors[0].field]).toEqual([400, field])
    }
  })

  it.each(long)(`keeps or refuses %s in ${fields.join(', ')}`, async (_, text) => {
    for (const field of fields) {
      const answer = await post({ [field]: text })
      if (answer.status === 400) expect(answer.body.errors[0].field).toBe(field)
      else expect(await recordOf(answer)).toMatchObject({ [field]: text })
    }
  })
}

/** References that must be URL-encoded in a path. */
export const awkwardReferences: [string, string][] = [
  ['a slash', 'a/b@plat'],
  ['a leading slash', '/a@plat'],
  ['a question mark', 'a?b=c@plat'],
  ['a hash', 'a#b@plat'],
  ['a percent sign', '100%@plat'],
  ['something that looks encoded', 'a%2Fb%00@plat'],
  ['something encoded twice', 'a%252Fb@plat'],
  ['a space', 'a b@plat'],
  ['a blank at both ends', ' a@plat '],
  ['a plus', 'a+b@plat'],
  ['an ampersand', 'a&b=c@plat'],
  ['a semicolon', 'a;b@plat'],
  ['a colon', ':a:b@plat'],
  ['a star', '*@plat'],
  ['a backslash', 'a\\b@plat'],
  ['umlauts', 'äöüß@plat'],
  ['Chinese', '用户@平台'],
  ['emoji', '👩‍👩‍👧@plat'],
  ['right-to-left letters', 'משתמש@plat'],
  ['a prototype', '__proto__'],
  ['255 characters', 'x'.repeat(255)],
  ['255 emoji', '🙂'.repeat(255)],
]

/** Invalid references. */
export const wrongReferences: [string, string][] = [
  ['nothing but a dot, which no client can put into a path', '.'],
  ['nothing but two dots', '..'],
  ['256 characters', 'x'.repeat(256)],
  ['10,000 characters', 'x'.repeat(10_000)],
  ['a line break', 'a\nb@plat'],
  ['a tab', 'a\tb@plat'],
  ['a control character', 'a\u0001b@plat'],
  ['a delete character', 'a\u007fb@plat'],
  ...unstorable,
]
