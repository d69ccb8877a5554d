// The blocks of the HTML part. Inline colours are for light mode; the classes override them in dark mode
// (palette.ts).

import { fontSizes, radii } from '../../../web/shared/tokens.ts'
import { wholeDate } from '../../../web/shared/whole-date.ts'
import { shortAddress } from '../../lib/clean-text.ts'
import type { Html } from '../../lib/html.ts'
import { html, lines } from '../../lib/html.ts'
import type { Button, Content, Line, Note, Row } from '../content/parts.ts'
import { textsIn } from '../texts/index.ts'
import type { Palette } from './palette.ts'

export function whenPanel({ when, off }: Content, palette: Palette): Html | null {
  if (!when) return null
  const strikeThrough = off ? 'text-decoration:line-through;' : ''
  return html`
<table role="presentation" class="panel" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px;background:${palette.panel};border-radius:${radii.card}px">
<tr><td class="pad-panel" style="padding:16px 24px">
<p class="text" style="margin:0;font-size:${fontSizes.head}px;line-height:1.4;font-weight:600;color:${palette.text};${strikeThrough}">${wholeDate(when.lines[0])}</p>
<p class="text" style="margin:2px 0 0;font-size:${fontSizes.head}px;line-height:1.4;font-weight:600;color:${palette.text};${strikeThrough}">${wholeDate(when.lines[1])}</p>
<p class="muted" style="margin:4px 0 0;font-size:${fontSizes.small}px;line-height:1.4;color:${palette.muted}">${when.zone}${when.other && html`<br>${when.other}`}</p>
</td></tr></table>`
}

export function rowsTable(rows: Row[], palette: Palette, language: Content['language']): Html | null {
  if (rows.length === 0) return null
  return html`
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px;table-layout:fixed">
${rows.map((row, index) => tableRow(row, index === 0, palette, language))}
</table>`
}

function tableRow(row: Row, first: boolean, palette: Palette, language: Content['language']): Html {
  const line = first ? '' : `border-top:1px solid ${palette.line};`
  return html`<tr>
<td class="muted line cell-label" width="128" valign="top" style="width:128px;padding:12px 12px 12px 0;${line}font-size:${fontSizes.small}px;line-height:1.6;color:${palette.muted};overflow-wrap:anywhere">${row.label}</td>
<td class="text line cell-value" valign="top" dir="auto" style="padding:12px 0;${line}font-size:${fontSizes.text}px;line-height:1.5;color:${palette.text};overflow-wrap:anywhere">${row.lines.map((line, index) => html`${index > 0 && html`<br>`}${rowLine(line, palette, language)}`)}</td>
</tr>`
}

function rowLine(line: Line, palette: Palette, language: Content['language']): Html {
  const { label, text, href, more, isPage } = line
  // Room for a finger: several of them stand below each other.
  const value = href ? anchor(href, text, palette, isPage && fingerRoom) : html`<bdi>${text}</bdi>`
  const caption = html`<span class="muted" style="color:${palette.muted}"><bdi>${label}</bdi>${textsIn(language).colon}</span> `
  const aside = html`<br><span class="muted" style="color:${palette.muted}">${more}</span>`
  return html`${label && caption}${value}${more && aside}`
}

const fingerRoom = ';display:inline-block;padding:8px 0'

function anchor(href: string, text: string, palette: Palette, style: string | false = ''): Html {
  return html`<a class="link" href="${href}" style="color:${palette.link};text-decoration:underline${style}">${shortAddress(text)}</a>`
}

export function noteBox({ label, text }: Note, palette: Palette): Html {
  return html`
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px;table-layout:fixed">
<tr><td class="accent-line" style="padding:2px 0 2px 16px;border-left:3px solid ${palette.link}">
<p class="muted" style="margin:0 0 4px;font-size:${fontSizes.small}px;line-height:1.4;color:${palette.muted};overflow-wrap:anywhere"><bdi>${label}</bdi></p>
<p class="text" dir="auto" style="margin:0;font-size:${fontSizes.body}px;line-height:1.55;color:${palette.text};overflow-wrap:anywhere">${lines(text)}</p>
</td></tr></table>`
}

export function buttonRow(buttons: Button[], palette: Palette): Html | null {
  if (buttons.length === 0) return null
  // A link that stands alone is the way on, and becomes a button.
  const aside = buttons.filter(({ isAside }) => isAside && buttons.length > 1)
  const row = buttons.filter(button => !aside.includes(button)).map(button => buttonCell(button, palette))
  return html`<div style="margin:0 0 12px">${row}</div>${aside.map(
    ({ label, href }) =>
      html`<p style="margin:0 0 24px;font-size:${fontSizes.text}px;line-height:1.5">${anchor(href, label, palette)}</p>`,
  )}`
}

/** A table around each button: Outlook draws the cell, other programs the link inside it. */
function buttonCell({ label, href, primary }: Button, palette: Palette): Html {
  const fill = primary ? palette.accent : palette.card
  const ink = primary ? palette.onAccent : palette.link
  const kind = primary ? 'button-primary' : 'button-quiet'
  return html`<table role="presentation" class="button-box" cellpadding="0" cellspacing="0" border="0" style="display:inline-table;margin:0 12px 12px 0"><tr>
<td class="button ${kind}" bgcolor="${fill}" style="border:2px solid ${palette.link};border-radius:${radii.control}px;background:${fill};mso-padding-alt:12px 24px;text-align:center">
<a class="button-link ${kind}-link" href="${href}" style="display:block;padding:12px 24px;font-size:${fontSizes.body}px;line-height:1.3;font-weight:600;color:${ink};text-decoration:none">${label}</a>
</td></tr></table>`
}
