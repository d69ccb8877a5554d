import { Readable } from 'node:stream'

/** Longer lists are streamed page by page from the database, so memory does not grow with them. */
const longestText = 4 * 1024 * 1024

/** A JSON array of pages, each of which is a text of comma-separated records. */
export async function wholeList(pages: AsyncGenerator<string, undefined>): Promise<string | Readable> {
  const read: string[] = []
  let length = 0
  for (;;) {
    const { value, done } = await pages.next()
    if (done) return `[${read.join(',')}]`
    read.push(value)
    length += value.length
    if (length > longestText) return streamList(read.join(','), pages)
  }
}

function streamList(beginning: string, rest: AsyncIterable<string>): Readable {
  async function* chunks() {
    yield `[${beginning}`
    for await (const text of rest) yield `,${text}`
    yield ']'
  }
  return Readable.from(chunks(), { objectMode: false })
}
