import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { Html, html } from './html.ts'

// One look for every small page of ours: verify, log in, and whatever else a link in a mail opens. Works without
// JavaScript; colours follow the reader's preference.

const style = `
:root { color-scheme: light dark; --ink: #1c2528; --soft: #59666b; --paper: #f4f6f6; --card: #fff; --line: #d5dcde; --accent: #0b6e69; --on-accent: #fff; --bad: #a3261d }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eeef; --soft: #a5b2b6; --paper: #12181a; --card: #1b2326; --line: #364246; --accent: #5cc4bc; --on-accent: #06211f; --bad: #ff9d94 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 8vh auto; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
@media (max-width: 36rem) { main { margin: 0; min-height: 100vh; border: 0; border-radius: 0; padding: 1.5rem } }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 1rem }
p { margin: 0 0 1rem }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem }
.soft { color: var(--soft) }
label { display: block; font-weight: 600; margin-bottom: .25rem }
textarea, input { font: inherit; width: 100%; padding: .6rem; border: 1px solid var(--soft); border-radius: 8px; background: var(--card); color: var(--ink) }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
ul { padding-left: 1.2rem }
li { margin-bottom: .6rem }
button, .button { font: inherit; font-weight: 600; min-height: 44px; padding: .6rem 1.4rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); cursor: pointer; text-decoration: none; display: inline-block }
button:focus-visible, a:focus-visible, input:focus-visible, textarea:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
a { color: var(--accent) }
`

const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

const policy = [
  "default-src 'none'",
  `style-src ${styleHash}`,
  "img-src 'self' https: data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function sendPage(
  reply: FastifyReply,
  status: number,
  language: string,
  title: string,
  content: Html,
) {
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${styleTag}
</head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`
  return reply
    .code(status)
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page.text)
}

const styleTag = new Html(`<style>${style}</style>`)
