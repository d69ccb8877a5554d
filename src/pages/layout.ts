import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { ownColors } from '../../web/shared/tokens.ts'
import { Html, html } from '../lib/html.ts'
import type { Theme } from '../rules/theme.ts'
import { iconLink } from './icon.ts'
import { style, widgetStyle } from './style.ts'

// One layout for all our pages: booking, cancel, accept, decline, verify, log in. Works without JavaScript;
// colours follow the reader's preference, and the Provider's accent if the page belongs to one.

export type PageOptions = {
  theme?: Theme | null
  /** Extra elements for the head, such as Open Graph tags. */
  head?: Html
  /** Our own modules that the page loads. */
  scripts?: string[]
  /** For pages with the booking widget; search engines may index them. */
  isWide?: boolean
  /** Shown below the card. */
  footer?: Html | null
  /** The console shows it as a preview next to its settings. */
  isFramable?: boolean
  /**
   * For responses to a posted form: the browser may keep them for its back button, since it cannot request
   * them again.
   */
  isKept?: boolean
  /** Beyond the styles of every page. */
  styles?: string[]
  /** For pages with a heading of their own. */
  isBare?: boolean
}

export function sendPage(
  reply: FastifyReply,
  status: number,
  language: string,
  title: string,
  content: Html,
  options: PageOptions = {},
) {
  const { text, headers } = renderPage(language, title, content, options)
  for (const [name, value] of headers) reply.header(name, value)
  return reply.code(status).header('x-content-type-options', 'nosniff').send(text)
}

export type RenderedPage = { text: string; headers: [name: string, value: string][] }

export function renderPage(
  language: string,
  title: string,
  content: Html,
  options: PageOptions = {},
): RenderedPage {
  const {
    theme,
    head,
    scripts = [],
    isWide = false,
    footer,
    isBare = false,
    isFramable = false,
    isKept = false,
    styles: more = [],
  } = options
  const styles = [style, isWide && widgetStyle, theme && themeStyle(theme), ...more].filter(
    one => typeof one === 'string',
  )
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${!isWide && html`<meta name="robots" content="noindex">`}
<meta name="referrer" content="same-origin">
<link rel="icon" href="${iconLink}">
<title>${title}</title>
${head}
${styles.map(text => new Html(`<style>${text}</style>`))}
${scripts.map(src => html`<script type="module" src="${src}"></script>`)}
</head>
<body${isWide && html` class="wide"`}><main>${theme?.logoUrl && html`<img class="logo" src="${theme.logoUrl}" alt="">`}${!isBare && html`<h1>${wholeWords(title)}</h1>`}${content}</main>${footer && html`<footer>${footer}</footer>`}</body>
</html>
`
  return {
    text: page.text,
    headers: [
      ['content-security-policy', policyOf(styles, scripts.length > 0, isFramable)],
      // Other sites get no referrer; our own forms need it to prove their origin.
      ['referrer-policy', 'same-origin'],
      ['cache-control', isKept ? 'private, no-cache' : 'no-store'],
      ['content-type', 'text/html; charset=utf-8'],
    ],
  }
}

/** Prevents line breaks inside hyphenated words such as 'rendez-vous'. */
const wholeWords = (text: string) =>
  text.split(/(\S+-\S+)/).map((part, index) => (index % 2 === 1 ? html`<span>${part}</span>` : part))

function policyOf(styles: string[], withScripts: boolean, isFramable: boolean): string {
  return [
    "default-src 'none'",
    ...(withScripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    `style-src ${styles.map(hashOf).join(' ')}`,
    "img-src 'self' https: data:",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${isFramable ? "'self'" : "'none'"}`,
  ].join('; ')
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const themeStyle = ({ light, dark }: Theme) => `:root { ${ownColors(light, dark)} }`
