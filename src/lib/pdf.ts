// A text document as PDF 1.4: headings, labelled lines and page numbers on A4, in the Helvetica of the reader.
// Each character is given a code of its own by its name, so that all letters of Latin scripts work without a
// font in the file. What has no name there is written without its accents, else as a question mark.

export type PdfSection = { heading: string; lines: [label: string, text: string][] }

const page = { width: 595, height: 842, margin: 56, label: 140 }
const maxWidth = page.width - 2 * page.margin

/** Of Helvetica, in thousandths of the size, for the characters from the space to the tilde. */
const widths =
  '278278355556556889667191333333389584278333278278556556556556556556556556556556278278584584584556' +
  '1015667667722722667611778722278500667556833722778667778722667611722667944667667611278278278469556' +
  '333556556500556556278556556222222500222833556556556556333500278556500722500500500334260334584'
const widthsOfAscii = (widths.match(/1015|\d{3}/g) ?? []).map(Number)

/** Names of what is no letter with an accent. */
const names: Record<string, string> = Object.fromEntries(
  (
    '  space ! exclam " quotedbl # numbersign $ dollar % percent & ampersand \' quotesingle ( parenleft ) parenright * asterisk ' +
    '+ plus , comma - hyphen . period / slash : colon ; semicolon < less = equal > greater ? question @ at [ bracketleft ' +
    '\\ backslash ] bracketright ^ asciicircum _ underscore ` grave { braceleft | bar } braceright ~ asciitilde ' +
    '¡ exclamdown ¿ questiondown « guillemotleft » guillemotright „ quotedblbase “ quotedblleft ” quotedblright ‘ quoteleft ' +
    '’ quoteright ‚ quotesinglbase – endash — emdash … ellipsis · periodcentered • bullet € Euro £ sterling § section ° degree ' +
    '© copyright ® registered ª ordfeminine º ordmasculine ² twosuperior ³ threesuperior ½ onehalf × multiply ± plusminus ' +
    'ß germandbls æ ae Æ AE œ oe Œ OE ø oslash Ø Oslash đ dcroat Đ Dcroat ð eth Ð Eth þ thorn Þ Thorn ł lslash Ł Lslash ' +
    'ı dotlessi 0 zero 1 one 2 two 3 three 4 four 5 five 6 six 7 seven 8 eight 9 nine'
  )
    .match(/(?:^ | )(\S|^ ) (\w+)/g)!
    .map(pair => [pair.trim().split(' ')[0]!, pair.trim().split(' ').at(-1)!]),
)
names[' '] = 'space'

const accents: Record<string, string> = {
  '\u0300': 'grave',
  '\u0301': 'acute',
  '\u0302': 'circumflex',
  '\u0303': 'tilde',
  '\u0304': 'macron',
  '\u0306': 'breve',
  '\u0307': 'dotaccent',
  '\u0308': 'dieresis',
  '\u030a': 'ring',
  '\u030b': 'hungarumlaut',
  '\u030c': 'caron',
  '\u0327': 'cedilla',
  '\u0328': 'ogonek',
}

function nameOf(character: string): string | null {
  const [letter = '', accent, ...more] = [...character.normalize('NFD')]
  if (!accent) return /^[A-Za-z]$/.test(character) ? character : (names[character] ?? null)
  return /^[A-Za-z]$/.test(letter) && accents[accent] && more.length === 0 ? letter + accents[accent] : null
}

/** The nearest character that can be written. */
function writable(character: string): string {
  if (nameOf(character)) return character
  if (/\s/.test(character)) return ' '
  const base = [...character.normalize('NFKD')][0]!
  return nameOf(base) ? base : '?'
}

const widthOf = (text: string, size: number) => {
  const units = [...text].map(one => widthsOfAscii[one.normalize('NFD').charCodeAt(0) - 32] ?? 556)
  return (units.reduce((sum, one) => sum + one, 0) * size) / 1000
}

/** Lines that fit, broken between words; a word that is too long is cut. */
function wrapped(text: string, width: number, size: number): string[] {
  return text.split(/\r?\n/).flatMap(paragraph => {
    const lines = ['']
    for (const word of paragraph.split(/[ \t]+/))
      for (const [index, part] of cut(word, width, size).entries()) {
        const longer = index === 0 && lines.at(-1) ? `${lines.at(-1)} ${part}` : part
        if (widthOf(longer, size) <= width && (index === 0 || !lines.at(-1))) lines[lines.length - 1] = longer
        else lines.push(part)
      }
    return lines
  })
}

function cut(word: string, width: number, size: number): string[] {
  const parts = ['']
  for (const character of word) {
    if (widthOf(parts.at(-1)! + character, size) > width) parts.push('')
    parts[parts.length - 1] += character
  }
  return parts
}

type Placed = { text: string; x: number; y: number; size: number; isBold: boolean }

export function makePdf(title: string, sections: PdfSection[]): Buffer {
  const pages: Placed[][] = [[]]
  let y = page.height - page.margin
  const place = (text: string, x: number, size: number, isBold: boolean) =>
    pages.at(-1)!.push({ text, x: page.margin + x, y, size, isBold })
  const goDown = (height: number) => {
    y -= height
    if (y >= page.margin + 20) return
    pages.push([])
    y = page.height - page.margin
  }
  for (const line of wrapped(title, maxWidth, 20)) {
    goDown(26)
    place(line, 0, 20, true)
  }
  for (const { heading, lines } of sections) {
    goDown(y < page.margin + 100 ? page.height : 34)
    place(heading, 0, 13, true)
    for (const [label, text] of lines) {
      const [left, right] = [wrapped(label, page.label - 12, 10), wrapped(text, maxWidth - page.label, 10)]
      goDown(4)
      for (let row = 0; row < Math.max(left.length, right.length); row++) {
        goDown(14)
        place(left[row] ?? '', 0, 10, false)
        place(right[row] ?? '', page.label, 10, false)
      }
    }
  }
  for (const [index, placed] of pages.entries())
    placed.push({ text: `${index + 1} / ${pages.length}`, x: page.margin, y: 32, size: 9, isBold: false })
  return written(title, pages)
}

/** The code of each character that the document has, from 33 on; as many as a font can have. */
function codesOf(pages: Placed[][]): Map<string, number> {
  const used = new Set(pages.flat().flatMap(({ text }) => [...text].map(writable)))
  return new Map([...used].slice(0, 222).map((character, index) => [character, 33 + index]))
}

function written(title: string, pages: Placed[][]): Buffer {
  const codes = codesOf(pages)
  const hex = (text: string) =>
    [...text]
      .map(one => (codes.get(writable(one)) ?? codes.get('?') ?? 33).toString(16).padStart(2, '0'))
      .join('')
  const show = ({ text, x, y, size, isBold }: Placed) =>
    `BT /${isBold ? 'B' : 'R'} ${size} Tf ${x} ${y} Td <${hex(text)}> Tj ET`
  const differences = [...codes].map(([character, code]) => `${code} /${nameOf(character)}`).join(' ')
  const font = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding << /Type /Encoding /Differences [${differences}] >> >>`
  const first = 6
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title <feff${Buffer.from(title, 'utf16le').swap16().toString('hex')}> >>`,
    ...pages.flatMap((placed, index) => {
      const content = placed
        .filter(one => one.text)
        .map(show)
        .join('\n')
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Resources << /Font << /R 3 0 R /B 4 0 R >> >> /Contents ${first + index * 2 + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  )
}
