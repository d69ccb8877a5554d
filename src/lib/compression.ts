import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { assertNoConnectionHeld } from './held-connection-check.ts'

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity'

// Quality 4 is as fast as gzip and smaller.
export const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const zstandard = promisify(zstdCompress)

// For slot lists, level 1 is also the smallest of the fast levels.
export const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const compressors = {
  zstd: (body: Buffer) => zstandard(body, zstdOptions),
  br: (body: Buffer) => brotlied(body, brotliOptions),
  gzip: (body: Buffer) => gzipped(body),
}

type Packer = (options?: { flush?: number; pledgedSrcSize?: number }) => Transform

/** As streams. */
export const packers: Record<Exclude<Encoding, 'identity'>, Packer> = {
  zstd: options => createZstdCompress({ ...zstdOptions, ...options }),
  br: options => createBrotliCompress({ ...brotliOptions, ...options }),
  gzip: options => createGzip({ ...options }),
}

/** What makes all bytes written so far readable. */
const flushes = {
  zstd: constants.ZSTD_e_flush,
  br: constants.BROTLI_OPERATION_FLUSH,
  gzip: constants.Z_SYNC_FLUSH,
}

/** Parts are not joined first: for large bodies, the copy would cost as much as compressing it. */
export function compress(parts: readonly Buffer[], encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  assertNoConnectionHeld('compression')
  return parts.length === 1 ? compressors[encoding](parts[0]!) : compressParts(parts, encoding)
}

/** Everything up to `middle` can be decompressed, and shown, before the rest has arrived. */
export async function compressInTwo(body: Buffer, middle: number, encoding: Exclude<Encoding, 'identity'>) {
  // With a known size, zstd takes less memory.
  const packed = packers[encoding]({ flush: flushes[encoding], pledgedSrcSize: body.length })
  const chunks = Array.fromAsync<Buffer>(packed)
  packed.write(body.subarray(0, middle))
  packed.end(body.subarray(middle))
  return Buffer.concat(await chunks)
}

async function compressParts(parts: readonly Buffer[], encoding: Exclude<Encoding, 'identity'>) {
  const packed = packers[encoding]()
  const chunks = Array.fromAsync<Buffer>(packed)
  for (const part of parts) packed.write(part)
  packed.end()
  return Buffer.concat(await chunks)
}

const worthCompressing = 1_000

// zstd is as small as brotli for slot lists, in a tenth of the time.
const encodings: Encoding[] = ['zstd', 'br', 'gzip', 'identity']

/** `offered`: the available encodings, best first. */
export function chooseEncoding<Offered extends Encoding = Encoding>(
  accepted: string | undefined,
  length: number,
  offered = encodings as Offered[],
): Offered | 'identity' {
  if (!accepted || length < worthCompressing) return 'identity'
  if ((offered as Encoding[]) === encodings) return chosen.memo(accepted) as Offered
  return bestOf(readWeights(accepted), offered)
}

function bestOf<Offered extends Encoding>(
  weights: Map<string, number>,
  offered: Offered[],
): Offered | 'identity' {
  // By default every client accepts identity, and none prefers it.
  const weightOf = (one: Encoding) => weights.get(one) ?? weights.get('*') ?? (one === 'identity' ? least : 0)
  const rest: (Offered | 'identity')[] = [...offered, 'identity']
  const best = rest.reduce((best, one) => (weightOf(one) > weightOf(best) ? one : best))
  return weightOf(best) > 0 ? best : 'identity'
}

const least = 0.0001

/** Parses `br;q=0.5, gzip, *;q=0`. An unreadable weight counts as 0. */
function readWeights(accepted: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const item of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map(one => one.trim())
    const quality = parameters.find(one => one.startsWith('q='))
    weights.set(name === 'x-gzip' ? 'gzip' : name, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  return weights
}

/** Browsers send the same few header values with every request. */
const chosen = new LRUCache<string, Encoding>({
  max: 200,
  memoMethod: accepted => bestOf(readWeights(accepted), encodings),
})
