import { printOwnText } from '../content/own-text.ts'
import type { Button, Content, Line, Note, Row } from '../content/parts.ts'
import { textsIn } from '../texts/index.ts'
import type { Texts } from '../texts/shape.ts'

/** The plain text part, with the same content as the HTML part. */
export function printText(content: Content): string {
  const texts = textsIn(content.language)
  const blocks = [
    content.greeting,
    content.lead,
    facts(content, texts),
    ...content.notes.map(note => printNote(note, texts)),
    printOwnText(content.own ?? []),
    ...content.buttons.filter(({ isFirst }) => isFirst).map(button => printButton(button, texts)),
    content.hint,
    ...content.buttons.filter(({ isFirst }) => !isFirst).map(button => printButton(button, texts)),
    content.closing.join('\n'),
    // Mail programs recognise this line as the start of a signature.
    `-- \n${content.footer.join('\n\n')}`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

function facts({ when, rows }: Content, texts: Texts): string {
  const { labels, colon } = texts
  const time = when
    ? [`${labels.when}${colon} ${when.sentence}`, when.zone, ...[when.other ?? []].flat()]
    : []
  return [...time, ...rows.map(row => printRow(row, texts))].join('\n')
}

function printRow({ label, lines }: Row, texts: Texts): string {
  const [first = '', ...rest] = lines.map(line => printLine(line, texts))
  return [`${label}${texts.colon} ${first}`, ...rest.map(line => `  ${line}`)].join('\n')
}

export function printLine({ label, text, href, isPage, more }: Line, { colon }: Texts): string {
  const aside = more ? ` (${more})` : ''
  const address = isPage && href ? `\n  ${href}` : ''
  return label ? `${label}${colon} ${text}` : `${text}${aside}${address}`
}

/** Indented, because mail programs fold text marked with '>'. */
function printNote({ label, text }: Note, { colon }: Texts): string {
  return `${label}${colon}\n${text.replace(/^(?=.)/gm, '  ')}`
}

function printButton({ label, href }: Button, { colon }: Texts): string {
  return `${label}${colon}\n${href}`
}
