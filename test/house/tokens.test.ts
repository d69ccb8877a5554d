import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pictureSize, spaces, weights } from '../../web/shared/tokens.ts'

// One file says how things look. Elsewhere a colour, a font size or a radius would drift away from it.

const styled = globSync(['web/**/*.{css,ts,tsx}', 'src/{pages,messages,rules}/**/*.ts'])
  .filter(path => path !== 'web/shared/tokens.ts' && !path.includes('node_modules'))
  .sort()

const own: [what: string, pattern: RegExp][] = [
  ['a colour', /(?<!&)#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i],
  ['a font size', /font-size:(?!\s*(?:var\(|\$\{|inherit))|\bfont:\s*[\d.]/],
  ['a radius', /radius:(?!\s*(?:var\(|\$\{|inherit|0\b|50%))/],
]

/** Without comments and example addresses, in which `#` is no colour. */
const codeOf = (path: string) =>
  readFileSync(path, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')

test('only the tokens name colours, font sizes and radii', () => {
  const found = styled.flatMap(path =>
    codeOf(path)
      .split('\n')
      .flatMap(line =>
        own
          .filter(([_key, pattern]) => pattern.test(line))
          .map(([what]) => `${path} names ${what}: ${line.trim()}`),
      ),
  )
  expect(found).toEqual([])
})

/** Beside a picture, text begins after the picture and the distance on both of its sides. */
const allowed: number[] = [0, 1, 2, 3, ...spaces, pictureSize + 2 * 16]
const distance = /(?<![\w-])(?:padding|margin|gap|row-gap|column-gap)[a-z-]*:([^;}"]+)/g

function otherDistances(path: string): string[] {
  const rules = [...codeOf(path).matchAll(distance)].map(([_match, values]) => values!)
  return rules.flatMap(values =>
    [...values.matchAll(/(?<![\w.#$])-?([\d.]+)(px|r?em)\b/g)]
      .filter(([_match, value, unit]) => !allowed.includes(Number(value) * (unit === 'px' ? 1 : 16)))
      .map(([text]) => text),
  )
}

test('distances are those of the tokens', () => {
  const found = styled
    .filter(path => /\.css$|style\.ts$|\/email\//.test(path))
    .flatMap(path => otherDistances(path).map(text => `${path}: ${text}`))
  expect(found).toEqual([])
})

test('weights are those of the tokens', () => {
  const found = styled.flatMap(path =>
    [...codeOf(path).matchAll(/font-weight:\s*(\w+)/g)]
      .filter(
        ([_match, weight]) =>
          !(weights as readonly number[]).includes(Number(weight)) && weight !== 'inherit',
      )
      .map(([text]) => `${path}: ${text}`),
  )
  expect(found).toEqual([])
})

test('there is something to check', () => {
  expect(styled).toContain('web/widget/src/styles/base.css')
  expect(styled).toContain('src/messages/email/layout.ts')
  expect(styled.length).toBeGreaterThan(100)
})
