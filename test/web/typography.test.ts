/// <reference types="vite/client" />
// How texts are written: quotation marks, spaces and the length of sentences, in five languages.

import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Language } from '../../src/languages.ts'
import { textsIn } from '../../src/messages/texts/index.ts'
import { proposalTexts } from '../../src/messages/texts/proposal.ts'
import { requestTexts } from '../../src/messages/texts/requests.ts'
import { confirmTexts } from '../../src/pages/links/confirm-texts.ts'
import { moveTexts } from '../../src/pages/links/move-texts.ts'
import { pageTexts } from '../../src/pages/texts.ts'
import { languages, texts } from '../../web/shared/texts/index.ts'

type Catalogue = Record<Language, unknown>
const seen = vi.hoisted(() => ({ catalogues: [] as Catalogue[] }))

// The console picks one language by the browser's settings; here all five are needed.
vi.mock('../../web/console/src/words.ts', () => ({
  words(catalogue: Catalogue) {
    seen.catalogues.push(catalogue)
    return catalogue.en
  },
}))

const consoleFiles = import.meta.glob('../../web/console/src/**/{*words,refusals,field-errors}.ts')

beforeAll(async () => {
  // Another file of this process may have loaded them already.
  vi.resetModules()
  for (const [path, load] of Object.entries(consoleFiles)) if (!path.endsWith('/src/words.ts')) await load()
})

/** Every text of a language; those with parameters are called with a name or a number. */
function textsOf(language: Language): string[] {
  const own = [
    textsIn(language),
    requestTexts[language],
    proposalTexts[language],
    confirmTexts[language],
    moveTexts[language],
    pageTexts[language],
  ]
  return [...own, texts[language], ...seen.catalogues.map(one => one[language])].flatMap(flatten)
}

const facts = { when: 'X', what: 'X', consumer: 'X', provider: 'X' }

function flatten(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function')
    return [[facts], ['X', 'X', 'X'], [1, 2, 3], [2, 3, 4]]
      .map(parameters => String(value(...parameters)))
      .filter(text => !text.includes('[object'))
  return value && typeof value === 'object' ? Object.values(value).flatMap(flatten) : []
}

describe.each(languages)('in %s', language => {
  it('apostrophes and quotation marks are typographic', () => {
    expect(textsOf(language).filter(text => /['"]/.test(text))).toEqual([])
  })

  it('an ellipsis follows its word, after a space in German only', () => {
    // Between two words it stands for a value: "Every … days".
    const wrong = language === 'de' ? /\S…/ : /\s…(?!\s\S)/
    expect(textsOf(language).filter(text => wrong.test(text))).toEqual([])
  })

  it('no sentence has more than 20 words', () => {
    const sentences = textsOf(language).flatMap(text => text.split(/(?<=[.?!:])\s+/))
    expect(sentences.filter(sentence => sentence.split(/\s+/).length > 20)).toEqual([])
  })
})

it('French has no-break spaces before : ; ? ! and inside quotation marks', () => {
  // What people type exactly like this: a scheme, or a time as fields take it.
  const literal = /\b(https?|mailto|tel):|\d\d:\d\d/g
  const texts = textsOf('fr').map(text => text.replaceAll(literal, ''))
  expect(texts.filter(text => /[^\u00a0][:;?!»]|«[^\u00a0]/.test(text))).toEqual([])
})

it('Spanish questions begin with ¿', () => {
  const asks = (text: string) => text.includes('?') && !text.includes('¿')
  expect(textsOf('es').filter(asks)).toEqual([])
})

it('German quotation marks are „ and “', () => {
  expect(textsOf('de').filter(text => /”|“[^„]*“/.test(text))).toEqual([])
})
