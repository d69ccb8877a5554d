import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// One file says how things look. Elsewhere a colour, a font size or a radius would drift away from it.

const styled = globSync(['web/**/*.{css,ts,tsx}', 'src/{pages,mail,rules}/**/*.ts'])
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
          .filter(([, pattern]) => pattern.test(line))
          .map(([what]) => `${path} names ${what}: ${line.trim()}`),
      ),
  )
  expect(found).toEqual([])
})

test('there is something to check', () => {
  expect(styled).toContain('web/widget/src/styles/base.css')
  expect(styled).toContain('src/mail/layout.ts')
  expect(styled.length).toBeGreaterThan(100)
})
