import { fontSizes, radii } from '../../../web/shared/tokens.ts'
import type { Html } from '../../lib/html.ts'
import { html, lines } from '../../lib/html.ts'
import { ownTextBlock } from '../content/own-text.ts'
import type { Content } from '../content/parts.ts'
import { buttonRow, noteBox, rowsTable, whenPanel } from './blocks.ts'
import type { Palette } from './palette.ts'
import { darkRules, narrowRules, paletteOf } from './palette.ts'

// Font names without quotes, because they are used in style attributes.
const font = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif'

/** The HTML part. Tables and inline styles, which all mail programs render alike. */
export function printHtml(content: Content): string {
  const palette = paletteOf(content.brand.accent)
  return `<!doctype html>\n${page(content, palette).text.trim()}\n`
}

function page(content: Content, palette: Palette): Html {
  return html`
<html lang="${content.language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="x-apple-disable-message-reformatting">
<title>${content.subject}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
${narrowRules}
${darkRules(palette)}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:${palette.page};${font};-webkit-text-size-adjust:100%">
${preview(content.preview)}
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${palette.page}" style="background:${palette.page}">
<tr><td class="pad-page" align="center" style="padding:32px 16px;${font}">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;table-layout:fixed;text-align:left">
<tr><td class="pad-side" style="padding:0 32px 16px;${font}">${brand(content, palette)}</td></tr>
<tr><td class="card pad-card" bgcolor="${palette.card}" style="padding:32px 32px 8px;background:${palette.card};border:1px solid ${palette.line};border-top:4px solid ${palette.accent};border-radius:${radii.card}px;${font}">${card(content, palette)}</td></tr>
<tr><td class="pad-side" style="padding:24px 32px 0;${font}">${footer(content, palette)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>`
}

/** Shown in inboxes but not in the email; the blanks keep the first words of the body from following it. */
function preview(text: string): Html {
  const blanks = Array.from({ length: 60 }, () => html`&#847;&zwnj;&nbsp;`)
  return html`<div aria-hidden="true" style="display:none;max-height:0;overflow:hidden;opacity:0;mso-hide:all">${text}${blanks}</div>`
}

function brand({ brand: { name, logo } }: Content, palette: Palette): Html {
  const style = `font-size:${fontSizes.body}px;line-height:1.3;font-weight:700;color:${palette.text}`
  if (!logo)
    return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td aria-hidden="true" width="40" height="40" align="center" valign="middle" bgcolor="${palette.accent}" style="width:40px;height:40px;border-radius:${radii.control}px;background:${palette.accent};font-size:${fontSizes.head}px;line-height:40px;font-weight:700;color:${palette.onAccent}">${[...name][0]}</td>
<td class="text" dir="auto" style="padding-left:12px;${style};overflow-wrap:anywhere">${name}</td>
</tr></table>`
  // With images off, the alternative text replaces the logo in the same type as a name.
  return html`<img class="text logo" src="${logo}" alt="${name}" height="44" style="display:block;height:44px;max-width:100%;border:0;${style}">`
}

function card(content: Content, palette: Palette): Html {
  return html`
<h1 class="text heading" style="margin:0 0 16px;font-size:${fontSizes.title}px;line-height:1.25;text-wrap:balance;font-weight:700;color:${palette.text};overflow-wrap:anywhere">${unbrokenWords(content.heading)}</h1>
${paragraph(content.greeting, palette, 8)}
${paragraph(content.lead, palette, 24)}
${whenPanel(content, palette)}
${rowsTable(content.rows, palette, content.language)}
${content.notes.map(note => noteBox(note, palette))}
${ownTextBlock(content.own ?? [], palette)}
${buttonRow(
  content.buttons.filter(({ isFirst }) => isFirst),
  palette,
)}
${content.hint && paragraph(content.hint, palette, 12)}
${buttonRow(
  content.buttons.filter(({ isFirst }) => !isFirst),
  palette,
)}
${content.closing.length > 0 && paragraph(content.closing.join('\n'), palette, 24)}`
}

/**
 * Keeps hyphenated words such as 'rendez-vous' and 'E-Mail' on one line, if a phone has room for them. A match begins
 * with its word only, or long texts without spaces would take quadratic time.
 */
const unbrokenWords = (text: string) =>
  text
    .split(/((?<!\S)\S+-\S+)/)
    .map((part, index) =>
      index % 2 === 1 && part.length < 20
        ? html`<span style="white-space:nowrap">${part}</span>`
        : lines(part),
    )

function paragraph(text: string, palette: Palette, gap: number): Html {
  return html`<p class="text" style="margin:0 0 ${gap}px;font-size:${fontSizes.body}px;line-height:1.55;color:${palette.text};overflow-wrap:anywhere">${unbrokenWords(text)}</p>`
}

function footer({ footer }: Content, palette: Palette): Html {
  return html`${footer.map(
    text =>
      html`<p class="muted" style="margin:0 0 12px;font-size:${fontSizes.small}px;line-height:1.55;color:${palette.muted};overflow-wrap:anywhere">${unbrokenWords(text)}</p>`,
  )}`
}
