import { expect, it } from 'vitest'
import { makePdf } from '../../src/lib/pdf.ts'

/** The lines of the document as a reader shows them: by names of glyphs. */
function read(pdf: Buffer) {
  const file = pdf.toString('latin1')
  const [, differences = ''] = /Differences \[([^\]]*)\]/.exec(file)!
  const named = new Map(
    [...differences.matchAll(/(\d+) \/(\w+)/g)].map(([, code, name]) => [Number(code), name]),
  )
  const lines = [...file.matchAll(/<([0-9a-f]*)> Tj/g)].map(([, hex]) =>
    [...Buffer.from(hex!, 'hex')].map(code => named.get(code)).join(' '),
  )
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)![1])
  const offsets = [...file.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) => Number(at))
  return { file, lines, offsets, pages: Number(/\/Count (\d+)/.exec(file)![1]) }
}

it('names each letter of Latin scripts, and comes close to others', () => {
  const { file, lines, offsets } = read(
    makePdf('Łé', [
      {
        heading: 'ßœ',
        lines: [
          ['ñ¿', '€ż’'],
          ['Ия', 'ế'],
        ],
      },
    ]),
  )
  expect(lines.slice(0, 6)).toEqual([
    'Lslash eacute',
    'germandbls oe',
    'ntilde questiondown',
    'Euro zdotaccent quoteright',
    'question question',
    'e',
  ])
  for (const [index, at] of offsets.entries())
    expect(file.slice(at)).toMatch(new RegExp(`^${index + 1} 0 obj`))
  expect(file).toContain(`/Size ${offsets.length + 1}`)
})

it('breaks long texts into lines and pages', () => {
  const text = 'word '.repeat(2000) + 'q'.repeat(500)
  const { lines, pages } = read(makePdf('Long', [{ heading: 'Text', lines: [['Label', text]] }]))
  expect(pages).toBeGreaterThan(2)
  expect(lines.join(' ').match(/w o r d/g)).toHaveLength(2000)
  expect(lines.join(' ').match(/\bq\b/g)).toHaveLength(500)
  expect(Math.max(...lines.map(line => line.split(' ').length))).toBeLessThan(100)
})
