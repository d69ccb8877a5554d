import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Html } from '../lib/html.ts'
import { packagePath } from '../lib/root.ts'
import { sendPage } from './layout.ts'

const file = packagePath('docs/api.md')

/** docs/api.md as a page, next to the API reference of a running service. */
export function addGuidePage(app: FastifyInstance) {
  let content: Html | undefined
  app.get('/docs/guide', async (_request, reply) => {
    content ??= await readGuide()
    return sendPage(reply, 200, 'en', 'The guide', content, { isWide: true, isBare: true })
  })
}

async function readGuide(): Promise<Html> {
  // Loaded on first use: most processes never need it.
  const { marked } = await import('marked')
  const text = await readFile(file, 'utf8')
  return new Html(`<p><a href="/docs">Reference of every call</a></p>${marked.parse(text, { async: false })}`)
}
