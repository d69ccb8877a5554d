import { docPages } from './list.ts'
import { renderMarkdown } from './render.ts'

type Section = { page: string; title: string; heading: string; address: string; text: string }
export type FoundSection = Omit<Section, 'text'> & { excerpt: string }

const maxResults = 20
let index: Promise<Section[]> | undefined

/** Sections that contain every word, those with the words in their heading first. */
export async function searchDocs(query: string): Promise<FoundSection[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
  if (words.length === 0) return []
  index ??= Promise.all(docPages.map(sectionsOf)).then(all => all.flat())
  const scored = (await index).flatMap(section => {
    const [head, text] = [`${section.title} ${section.heading}`.toLowerCase(), section.text.toLowerCase()]
    if (!words.every(word => head.includes(word) || text.includes(word))) return []
    return { section, score: words.filter(word => head.includes(word)).length }
  })
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, maxResults)
    .map(({ section: { text, ...section } }) => ({ ...section, excerpt: excerptOf(text, words) }))
}

async function sectionsOf({ slug, title, read }: (typeof docPages)[number]): Promise<Section[]> {
  const { content, headings } = await renderMarkdown(await read())
  const parts = content.text.split(/(?=<h[1-3] id=)/).filter(part => part.startsWith('<h'))
  const shown = headings.filter(({ level }) => level <= 3)
  return parts.map((part, at) => ({
    page: slug,
    title,
    heading: shown[at]?.text ?? title,
    address: `/docs/${slug}${at === 0 ? '' : `#${shown[at]?.anchor}`}`,
    text: plainText(part.replace(/^<h.*?<\/h[1-3]>/s, '')),
  }))
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const plainText = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!)
    .replaceAll(/\s+/g, ' ')

function excerptOf(text: string, words: string[]): string {
  const places = words.map(word => text.toLowerCase().indexOf(word)).filter(at => at >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 60)
  const start = from > 0 && places.length > 0 ? from : 0
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + 180).trim()}`
}
