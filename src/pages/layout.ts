import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { accent, ownColors, white } from '../../web/shared/tokens.ts'
import { remembered } from '../../web/shared/zones.ts'
import { Html, html } from '../lib/html.ts'
import type { Theme } from '../rules/theme.ts'
import { style, widgetStyle } from './style.ts'

/** A marked day in a calendar. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${accent[0]}"/><path d="M8 12h16M11 7v5M21 7v5" stroke="${white}" stroke-width="2.4" stroke-linecap="round"/><path d="m10.5 19 4 4 7.5-8" fill="none" stroke="${white}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** Inlined into pages to save a request. */
export const iconLink = `data:image/svg+xml,${encodeURIComponent(icon)}`

// One layout for all our pages: booking, cancel, accept, decline, verify, log in. Works without JavaScript;
// colours follow the reader's preference, and the Provider's accent if the page belongs to one.

export type PageOptions = {
  theme?: Theme | null
  /** The business that the page is about: its name stands above the heading, unless there is a logo. */
  brand?: string
  /** Extra elements for the head, such as Open Graph tags. */
  head?: Html
  /** Our own modules that the page loads. */
  scripts?: string[]
  /** For pages with the booking widget; search engines may index them. */
  isWide?: boolean
  /** Not for search engines, although it has the widget. */
  isPrivate?: boolean
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
    brand,
    head,
    scripts = [],
    isWide = false,
    isPrivate = !isWide,
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
${isPrivate && html`<meta name="robots" content="noindex">`}
<meta name="referrer" content="same-origin">
<link rel="icon" href="${iconLink}">
<title>${title}</title>
${head}
${styles.map(text => new Html(`<style>${text}</style>`))}
${scripts.map(src => html`<script type="module" src="${src}"></script>`)}
</head>
<body${isWide && html` class="wide"`}><main>${theme?.logoUrl ? html`<img class="logo" src="${theme.logoUrl}" alt="">` : brand && html`<p class="brand" data-initial="${[...brand][0]}">${brand}</p>`}${!isBare && headingOf(title)}${content}</main>${footer && html`<footer>${footer}</footer>`}</body>
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

export const headingOf = (title: string): Html => html`<h1>${wholeWords(title)}</h1>`

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

/** Nearly all pages have the same styles. */
const hashOf = remembered((text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)

const themeStyle = ({ light, dark }: Theme) => `:root { ${ownColors(light, dark)} }`
