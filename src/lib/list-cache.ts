import { LRUCache } from 'lru-cache'
import { compress, type Encoding } from './compression.ts'
import { concatAndHash } from './concat.ts'

/** A rendered response with its compressed forms, which are made on first use. */
export class RenderedList {
  status: 200 | 204
  parts: readonly Buffer[]
  length: number
  etag: string
  /** The snapshot it was made for, and until when time alone leaves it valid. */
  snapshot: string
  validUntil: number
  forms = new Map<Encoding, Promise<Buffer>>()

  constructor(parts: readonly Buffer[] | null, digest: string, snapshot: string, validUntil: number) {
    this.status = parts === null ? 204 : 200
    this.parts = parts ?? []
    this.length = this.parts.reduce((sum, part) => sum + part.length, 0)
    this.etag = `W/"${digest}"`
    this.snapshot = snapshot
    this.validUntil = validUntil
  }

  /** A null body means there is nothing to show. */
  static async of(
    written: { parts: readonly Buffer[]; length: number } | null,
    snapshot: string,
    validUntil: number,
  ): Promise<RenderedList> {
    const { body, digest } = await concatAndHash(written?.parts ?? [], written?.length ?? 0)
    return new RenderedList(written && [body], digest, snapshot, validUntil)
  }

  /** Joined on first use: most clients want a compressed form. */
  get body(): Buffer {
    if (this.parts.length !== 1) this.parts = [Buffer.concat(this.parts, this.length)]
    return this.parts[0]!
  }

  /** Includes an estimate for the compressed forms: a tenth of the body each. */
  get bytes() {
    return this.length * 1.2 + 500
  }

  encoded(encoding: Encoding): Promise<Buffer> | Buffer {
    if (encoding === 'identity') return this.body
    const known = this.forms.get(encoding)
    if (known) return known
    const made = compress(this.parts, encoding)
    this.forms.set(encoding, made)
    return made
  }
}

/**
 * Keeps the most recently requested lists up to a number of bytes. Keys count too, because clients choose
 * them.
 */
export class ListCache {
  lists: LRUCache<string, RenderedList> | null
  underWay = new Map<string, Promise<RenderedList | null>>()

  constructor(limit: number) {
    const sizeCalculation = (list: RenderedList, key: string) => Math.ceil(list.bytes + 2 * key.length)
    this.lists = limit > 0 ? new LRUCache({ maxSize: limit, sizeCalculation }) : null
  }

  get(key: string): RenderedList | undefined {
    return this.lists?.get(key)
  }

  set(key: string, list: RenderedList) {
    this.lists?.set(key, list)
  }

  /** Concurrent requests for the same list share one computation. */
  async share<List extends RenderedList | null>(what: string, make: () => Promise<List>): Promise<List> {
    const known = this.underWay.get(what)
    if (known) return known as Promise<List>
    const making = make().finally(() => this.underWay.delete(what))
    this.underWay.set(what, making)
    return making
  }

  get bytes(): number {
    return this.lists?.calculatedSize ?? 0
  }
}
