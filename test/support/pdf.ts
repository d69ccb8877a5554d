/** The lines of the document as a reader shows them: by names of glyphs. */
export function readPdf(pdf: Buffer) {
  const file = pdf.toString('latin1')
  const [_match, differences = ''] = /Differences \[([^\]]*)\]/.exec(file)!
  const named = new Map(
    [...differences.matchAll(/(\d+) \/(\w+)/g)].map(([_match, code, name]) => [Number(code), name]),
  )
  const lines = [...file.matchAll(/<([0-9a-f]*)> Tj/g)].map(([_match, hex]) =>
    [...Buffer.from(hex!, 'hex')].map(code => named.get(code)).join(' '),
  )
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)![1])
  const offsets = [...file.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([_match, at]) => Number(at))
  return { file, lines, offsets, pages: Number(/\/Count (\d+)/.exec(file)![1]) }
}
