import { expect, it } from 'vitest'
import { makePdf } from '../../src/lib/pdf.ts'
import { readPdf } from '../support/pdf.ts'

it('names each letter of Latin scripts, and comes close to others', () => {
  const { file, lines, offsets } = readPdf(
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
  const { lines, pages } = readPdf(makePdf('Long', [{ heading: 'Text', lines: [['Label', text]] }]))
  expect(pages).toBeGreaterThan(2)
  expect(lines.join(' ').match(/w o r d/g)).toHaveLength(2000)
  expect(lines.join(' ').match(/\bq\b/g)).toHaveLength(500)
  expect(Math.max(...lines.map(line => line.split(' ').length))).toBeLessThan(100)
})
