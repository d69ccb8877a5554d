import { LRUCache } from 'lru-cache'
import type { Route } from '../route.ts'

/** A parsed and validated URL with its route. Shared by many requests, so it must not be changed. */
export type ParsedUrl = Readonly<{ route: Route; pattern: string; params: object; query: object }>

const maxLength = 2_000_000
const longest = 1_000

/** Pages repeat the same requests: a cache lookup is faster than parsing the URL again. */
export class KnownUrls {
  read = new LRUCache<string, ParsedUrl>({
    maxSize: maxLength,
    maxEntrySize: longest,
    sizeCalculation: (_read, address) => address.length,
  })

  get(address: string): ParsedUrl | undefined {
    return this.read.get(address)
  }

  keep(address: string, read: ParsedUrl) {
    if (!this.read.has(address)) this.read.set(address, read)
  }
}
