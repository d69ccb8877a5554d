import { Html } from '../../lib/html.ts'
import { docPages } from './list.ts'

export type Heading = { level: number; text: string; anchor: string }
export type RenderedDoc = { content: Html; headings: Heading[] }

/** Markdown as HTML, with anchors like GitHub's and links between our pages. */
export async function renderMarkdown(text: string): Promise<RenderedDoc> {
  // Loaded on first use: most processes never need it.
  const { Marked } = await import('marked')
  const headings: Heading[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const anchor = anchorOf(text, headings)
        headings.push({ level: depth, text: plain(text), anchor })
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>`
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        const target = linkTarget(href)
        return target ? `<a href="${target}">${words}</a>` : words
      },
    },
  })
  const body = await marked.parse(text)
  // What scrolls sideways can be reached by keyboard.
  const reachable = body
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll(/<th( [^>]*)?><\/th>/g, '<td></td>')
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
  return { content: new Html(reachable), headings }
}

const plain = (text: string) => text.replaceAll(/`|\[([^\]]*)\]\([^)]*\)/g, '$1')

function anchorOf(text: string, known: Heading[]): string {
  const base = plain(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const isTaken = (anchor: string) => known.some(one => one.anchor === anchor)
  if (!isTaken(base)) return base
  let count = 1
  while (isTaken(`${base}-${count}`)) count++
  return `${base}-${count}`
}

/** Null for files that the service does not show. */
function linkTarget(href: string): string | null {
  if (/^(https?:|#|\/)/.test(href)) return href.replaceAll('"', '%22')
  const [file = '', anchor] = href.split('#')
  const slug = file.replace(/\.md$/, '')
  const page = docPages.find(one => one.slug === (slug === 'api' ? 'guide' : slug))
  return page ? `/docs/${page.slug}${anchor ? `#${anchor}` : ''}` : null
}
