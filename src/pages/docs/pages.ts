import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '../../lib/html.ts'
import type { Service } from '../../service.ts'
import { sendPage } from '../layout.ts'
import { clientArchive } from './client-archive.ts'
import { type DocPage, docGroups, docPages } from './list.ts'
import { type RenderedDoc, renderMarkdown } from './render.ts'
import { searchDocs } from './search.ts'
import { docsStyle } from './style.ts'

/** The docs of this version: pages, the same as Markdown, search, and what integrators download. */
export function addDocPages(app: FastifyInstance, { baseUrl }: Service) {
  const known = new Map<string, RenderedDoc>()
  app.get('/docs', async (_request, reply) => sendDoc(reply, 'Holdfast docs', null, overview()))
  for (const page of docPages) {
    app.get(`/docs/${page.slug}`, async (_request, reply) => {
      const rendered = known.get(page.slug) ?? (await renderMarkdown(await page.read()))
      known.set(page.slug, rendered)
      return sendDoc(reply, page.title, page, docContent(page, rendered))
    })
    app.get(`/docs/${page.slug}.md`, async (_request, reply) =>
      sendFile(reply, 'text/markdown; charset=utf-8', await page.read()),
    )
  }
  app.get('/docs/search', async (request: FastifyRequest<{ Querystring: { q?: string } }>, reply) => {
    const query = String([request.query.q ?? ''].flat()[0]).slice(0, 200)
    return sendDoc(reply, 'Search', null, results(query, await searchDocs(query)), query)
  })
  app.get('/llms.txt', async (_request, reply) =>
    sendFile(reply, 'text/plain; charset=utf-8', llmsText(baseUrl)),
  )
  app.get('/docs/holdfast-client.tgz', async (_request, reply) => {
    const archive = await clientArchive()
    return archive ? sendFile(reply, 'application/gzip', archive) : reply.callNotFound()
  })
}

function sendDoc(reply: FastifyReply, title: string, current: DocPage | null, article: Html, query = '') {
  const content = html`<div class="docs">${navigation(current, query)}<article>${article}</article></div>`
  return sendPage(reply, 200, 'en', title, content, { isWide: true, isBare: true, styles: [docsStyle] })
}

const sendFile = (reply: FastifyReply, type: string, content: string | Buffer) =>
  reply
    .header('cache-control', 'public, max-age=300')
    .header('x-content-type-options', 'nosniff')
    .type(type)
    .send(content)

function navigation(current: DocPage | null, query: string): Html {
  const link = ({ slug, title }: DocPage) =>
    html`<li><a href="/docs/${slug}"${slug === current?.slug && html` aria-current="page"`}>${title}</a></li>`
  return html`<nav aria-label="Docs"><a class="home" href="/docs">Holdfast docs</a>
<form action="/docs/search" role="search"><input type="search" name="q" aria-label="Search the docs" placeholder="Search" value="${query}"></form>
<details><summary>All pages</summary>
<strong>Reference</strong><ul><li><a href="/docs/reference/">Every call</a></li></ul>
${docGroups.map(({ name, pages }) => html`<strong>${name}</strong><ul>${pages.map(link)}</ul>`)}
</details></nav>`
}

function docContent({ slug }: DocPage, { content, headings }: RenderedDoc): Html {
  const parts = headings.filter(({ level }) => level === 2)
  return html`<p class="tools"><a href="/docs/${slug}.md">As Markdown</a></p>
${parts.length > 3 && html`<div class="toc"><b>On this page</b><ul>${parts.map(({ anchor, text }) => html`<li><a href="#${anchor}">${text}</a></li>`)}</ul></div>`}
${content}`
}

const card = (address: string, title: string, about: string) =>
  html`<li><a href="${address}"><b>${title}</b>${about}</a></li>`

const downloads: [address: string, title: string, about: string][] = [
  [
    '/docs/reference/',
    'Reference',
    'Every call with its fields, errors and a real example. Try them in the page.',
  ],
  ['/openapi.json', 'OpenAPI 3.1', 'For generators and tools. Also as OpenAPI 3.0: /openapi-3.0.json'],
  ['/docs/holdfast-client.tgz', 'TypeScript client', 'npm install this address.'],
  ['/docs/postman.json', 'Postman collection', 'For Postman, Bruno and Insomnia.'],
  ['/llms.txt', 'llms.txt', 'These docs for language models.'],
]

const overview = () => html`<h1>Holdfast docs</h1>
<p>Appointment scheduling over HTTP. Start with a how-to, look up calls in the reference, and read the guide for what a reference leaves open.</p>
${docGroups
  .toSorted((one, other) => Number(other.name === 'How to') - Number(one.name === 'How to'))
  .map(
    ({ name, pages }) =>
      html`<h2>${name}</h2><ul class="cards">${pages.map(({ slug, title, about }) => card(`/docs/${slug}`, title, about))}</ul>`,
  )}
<h2>Reference and downloads</h2><ul class="cards">${downloads.map(one => card(...one))}</ul>`

const results = (query: string, found: Awaited<ReturnType<typeof searchDocs>>) => html`<h1>Search</h1>
${
  found.length > 0
    ? html`<ul class="found">${found.map(({ address, title, heading, excerpt }) => html`<li><a href="${address}">${title === heading ? title : `${title}: ${heading}`}</a><p>${excerpt}</p></li>`)}</ul>`
    : html`<p>${query.trim() ? html`No page contains “${query}”. Try fewer words.` : 'Enter a word, such as webhook or retry.'}</p>`
}`

const llmsText = (baseUrl: string) => `# Holdfast

> Appointment scheduling over HTTP: Providers offer Products at Resources in Timeslots; consumers hold and book them; systems sync and follow events.

- [OpenAPI 3.1](${baseUrl}/openapi.json): every call with its fields, errors and a real example
- [Postman collection](${baseUrl}/docs/postman.json)
- [TypeScript client](${baseUrl}/docs/holdfast-client.tgz): npm install this address
${docGroups
  .map(
    ({ name, pages }) =>
      `\n## ${name}\n\n${pages.map(({ slug, title, about }) => `- [${title}](${baseUrl}/docs/${slug}.md): ${about}`).join('\n')}\n`,
  )
  .join('')}`
