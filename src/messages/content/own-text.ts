import { Lexer, type Token, type Tokens } from 'marked'
import { fontSizes } from '../../../web/shared/tokens.ts'
import { invalidField } from '../../errors.ts'
import type { Language } from '../../languages.ts'
import {
  mailLink,
  manyLines,
  nameToGreet,
  oneLine,
  phoneLink,
  shortAddress,
  webLink,
} from '../../lib/clean-text.ts'
import { type Html, html, lines } from '../../lib/html.ts'
import {
  type BookingData,
  fillPlaceholders,
  type Placeholder,
  placeholders,
  unknownPlaceholder,
} from '../../rules/messages/messages.ts'
import type { Palette } from '../email/palette.ts'
import { providerName } from './details.ts'
import type { Inline, OwnBlock } from './parts.ts'
import { bothTimes } from './times-in-both-zones.ts'

// The paragraphs of a business, in a small part of Markdown: bold, italics, lists and links. All else stays
// text. Placeholders are filled in after parsing, so no value can contain Markdown or become a link.

type Values = Record<Placeholder, string>

const parse = (text: string) => new Lexer({ gfm: true, breaks: true }).lex(manyLines(text))

// Reading takes time that grows with the cube of these, and each level of a quotation a part of the stack.
const maxMarks = 200
const marks = /[*_~]+|[<>[`]/g

/** Refuses what customers would see as a mistake. `field` names the input. */
export function checkOwnText(field: string, text: string) {
  if ((text.match(marks)?.length ?? 0) > maxMarks)
    throw invalidField(field, 'max-count:marks', { limit: maxMarks })
  const unknown = unknownPlaceholder(text)
  const known = Object.keys(placeholders).map(name => `{${name}}`)
  if (unknown !== null) throw invalidField(field, 'known-name:placeholder', { name: unknown, choices: known })
  const href = linksIn(parse(text)).find(link => safeLink(link) === null)
  if (href === undefined) return
  const rule = hasBraces(href) ? 'web-address:placeholder' : 'web-address:scheme'
  throw invalidField(field, rule, { link: href.slice(0, 200) })
}

const linksIn = (tokens: Token[]): string[] =>
  tokens.flatMap(token => [
    ...(token.type === 'link' ? [(token as Tokens.Link).href] : []),
    ...linksIn([
      ...(('tokens' in token && token.tokens) || []),
      ...(token.type === 'list' ? (token as Tokens.List).items : []),
    ]),
  ])

/** In an email about this booking. */
export function readOwnText(text: string, language: Language, data: BookingData): OwnBlock[] {
  const values = valuesOf(language, data)
  return parse(text).flatMap(token => blockOf(token, values))
}

function valuesOf(language: Language, data: BookingData): Values {
  const [date, time] = bothTimes({ ...data, end: data.start }, language, 'consumer').lines
  return {
    // A name that looks like an address is not shown: mail programs would turn it into a link.
    customer: nameToGreet(data.consumer.name) ?? '',
    service: oneLine(data.productName) || oneLine(data.resourceName),
    person: oneLine(data.resourceName),
    date,
    time,
    place: oneLine(data.place),
    business: providerName(data),
  }
}

function blockOf(token: Token, values: Values): OwnBlock[] {
  if (token.type === 'space') return []
  if (token.type === 'list') {
    const { ordered, start, items } = token as Tokens.List
    const kind = ordered ? 'numbers' : 'bullets'
    return [{ kind, first: Number(start) || 1, items: items.map(item => itemOf(item, values)) }]
  }
  const inlines =
    token.type === 'paragraph'
      ? inlinesOf((token as Tokens.Paragraph).tokens, values)
      : [plain(token.raw.trim(), values)]
  return [{ kind: 'paragraph', first: 1, items: [inlines] }]
}

/** A list within the item stays text, on lines of its own. */
const itemOf = ({ tokens }: Tokens.ListItem, values: Values): Inline[] =>
  tokens
    .filter(one => one.type !== 'space')
    .flatMap((one, index) => {
      const parts = 'tokens' in one && one.tokens && one.type !== 'list' ? one.tokens : null
      const shown = parts ? inlinesOf(parts, values) : [plain(one.raw.trim(), values)]
      return index > 0 ? [{ text: '\n' }, ...shown] : shown
    })

const plain = (text: string, values: Values): Inline => ({ text: fillPlaceholders(text, values) })

function inlinesOf(tokens: Token[], values: Values, style: Partial<Inline> = {}): Inline[] {
  return tokens.flatMap((token): Inline[] => {
    const inside = (more: Partial<Inline>) =>
      inlinesOf((token as Tokens.Strong).tokens, values, { ...style, ...more })
    if (token.type === 'strong') return inside({ bold: true })
    if (token.type === 'em') return inside({ italic: true })
    if (token.type === 'br') return [{ ...style, text: '\n' }]
    const href = token.type === 'link' ? safeLink((token as Tokens.Link).href) : null
    if (href) return inside({ href })
    const text = token.type === 'escape' ? (token as Tokens.Escape).text : token.raw
    return [{ ...style, ...plain(text, values) }]
  })
}

const hasBraces = (href: string) => /[{}]|%7[bd]/i.test(href)

/** Pages, email addresses and numbers. */
function safeLink(href: string): string | null {
  if (hasBraces(href)) return null
  if (/^mailto:/i.test(href)) return mailLink(href.slice(7))
  return /^tel:/i.test(href) ? phoneLink(href.slice(4)) : webLink(href)
}

/** For the text part: a link shows its address. */
export const printOwnText = (blocks: OwnBlock[]): string =>
  blocks
    .map(({ kind, first, items }) =>
      items
        .map((item, index) => {
          const mark = { paragraph: '', bullets: '- ', numbers: `${first + index}. ` }[kind]
          return mark + item.map((one, at) => inlineText(one, item[at + 1])).join('')
        })
        .join('\n'),
    )
    .join('\n\n')

/** The address follows the last part of a link. */
function inlineText({ text, href }: Inline, next: Inline | undefined): string {
  if (!href || next?.href === href) return text
  const address = href.replace(/^(mailto|tel):/, '')
  const isBare = text === address || text === address.replace(/^https?:\/\//, '')
  return isBare ? address : `${text} (${address})`
}

export function ownTextBlock(blocks: OwnBlock[], palette: Palette): Html[] {
  const style = `font-size:${fontSizes.body}px;line-height:1.55;color:${palette.text};overflow-wrap:anywhere`
  return blocks.map(({ kind, first, items }) => {
    const shown = items.map(item => item.map(one => inlineHtml(one, palette)))
    if (kind === 'paragraph')
      return html`<p class="text" dir="auto" style="margin:0 0 16px;${style}">${shown}</p>`
    const entries = shown.map(one => html`<li style="margin:0 0 4px">${one}</li>`)
    const rule = `margin:0 0 16px;padding:0 0 0 24px;${style}`
    return kind === 'bullets'
      ? html`<ul class="text" dir="auto" style="${rule}">${entries}</ul>`
      : html`<ol class="text" dir="auto" start="${first}" style="${rule}">${entries}</ol>`
  })
}

function inlineHtml({ text, bold, italic, href }: Inline, palette: Palette): Html {
  const words = lines(href ? shortAddress(text) : text)
  const strong = bold ? html`<strong>${words}</strong>` : words
  const styled = italic ? html`<em>${strong}</em>` : strong
  if (!href) return styled
  return html`<a class="link" href="${href}" style="color:${palette.link};text-decoration:underline">${styled}</a>`
}
