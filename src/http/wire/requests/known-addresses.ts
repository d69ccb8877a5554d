import { LRUCache } from 'lru-cache'
import type { Route } from '../route.ts'

/** What an address says, read and found right, and to which route. Many requests share it: nobody may change it. */
export type ReadAddress = Readonly<{ route: Route; pattern: string; params: object; query: object }>

const mostCharacters = 2_000_000
const longest = 1_000

/** Pages ask the same questions again and again: finding an address among the last ones is quicker than reading it anew. */
export class KnownAddresses {
  read = new LRUCache<string, ReadAddress>({
    maxSize: mostCharacters,
    maxEntrySize: longest,
    sizeCalculation: (_read, address) => address.length,
  })

  get(address: string): ReadAddress | undefined {
    return this.read.get(address)
  }

  keep(address: string, read: ReadAddress) {
    if (!this.read.has(address)) this.read.set(address, read)
  }
}
