import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { errorCodes, errorRules, errorTexts, schemaRules } from '../../src/error-texts.ts'

// Errors are data until they leave: src/error-texts.ts alone has their sentences.

const raising = /\b(?:invalidField|missingField|new Refusal|conflict|slotTaken|tooManyOpen)\(/g

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && name !== 'error-texts.ts')
  .map(name => posix.join('src', name))
const sources = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))

/** The text up to the parenthesis that closes the call. */
function argumentsAt(source: string, start: number): string {
  let depth = 1
  let at = start
  for (; depth > 0 && at < source.length; at++) depth += source[at] === '(' ? 1 : source[at] === ')' ? -1 : 0
  return source.slice(start, at)
}

/** Texts with a blank in what an error is made of. */
const sentencesIn = (source: string): string[] =>
  [...source.matchAll(raising)].flatMap(({ 0: call, index }) => {
    const texts = argumentsAt(source, index + call.length).match(/'[^']*'|"[^"]*"|`[^`]*`/g) ?? []
    return texts.filter(text => /\s/.test(text))
  })

test('errors are raised without sentences', () => {
  expect(sentencesIn('throw invalidField(`a`, at(`It is late.`), { limit })')).toEqual(['`It is late.`'])
  const found = [...sources].flatMap(([file, source]) => sentencesIn(source).map(text => `${file}: ${text}`))
  expect(found).toEqual([])
})

test('every sentence of an error is raised somewhere', () => {
  const quoted = [...sources.values()].flatMap(source => source.match(/'[\w:-]+'/g) ?? [])
  const named = new Set(quoted.map(text => text.slice(1, -1)))
  const unused = errorCodes.flatMap(code => {
    const rules = typeof errorTexts[code] === 'object' ? Object.keys(errorTexts[code]) : []
    return rules.filter(rule => rule !== '' && !named.has(rule)).map(rule => `${code} ${rule}`)
  })
  // These are put together, or read as the reason of a slot.
  const composed = /^invalid-field (series-(format|end|none)|pattern:(unterminated-quote|too-long))$/
  expect(unused.filter(one => !composed.test(one))).toEqual([])
})

test('rules are spelt like codes', () => {
  expect(errorRules.filter(rule => !/^[a-z][a-zA-Z0-9]*(-[a-z0-9]+)*$/.test(rule))).toEqual([])
})

/** What the console never sends, or sends only if it is wrong itself: "Check this entry" will do. */
const ofPrograms = [
  ...['unknown-field', 'unreadable-text', 'malformed-path', 'malformed-request', 'late-request', 'boolean'],
  ...['uuid', 'blank', 'not-both', 'cursor', 'if-match', 'path-provider', 'single-customer', 'one-person'],
  ...['series-format', 'series-instead', 'consent', 'contact', 'no-such-state', 'not-booked', 'one-crm'],
  ...['clock-range', 'clock-step', 'no-fault', 'pattern', 'group-name', 'options-unused', 'no-max-length'],
  ...['operator-only', 'caldav-only', 'body', 'terms', 'page', 'place-name', 'move-resource', 'dates'],
  // The pages have their own sentences, or it is simply required.
  ...['file-lines', 'unreadable-line', 'label', 'options', 'current-password', 'duration'],
]

test('the console has a sentence for each rule that people can break', () => {
  const english = /^ {2}en: \{$(.*?)^ {2}\},$/ms.exec(
    readFileSync('web/console/src/field-errors.ts', 'utf8'),
  )!
  const worded = new Set([...english[1]!.matchAll(/^ {4}'?([\w-]+)'?:/gm)].map(([_match, rule]) => rule!))
  const rules = ['missing-field', 'invalid-field'] as const
  const all = rules.flatMap(code => Object.keys(errorTexts[code]).map(rule => rule.split(':')[0]!))
  const wanted = [...new Set([...all, ...schemaRules])].filter(rule => rule && !ofPrograms.includes(rule))
  expect(wanted.filter(rule => !worded.has(rule))).toEqual([])
  expect([...worded].filter(rule => !wanted.includes(rule)).sort()).toEqual(['check', 'missing'])
})
