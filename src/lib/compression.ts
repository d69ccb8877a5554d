import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity'

// Quality 4 is as fast as gzip and smaller.
export const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const zstandard = promisify(zstdCompress)

// On lists, level 1 is the smallest of the quick ones, too.
export const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const compressors = {
  zstd: (body: Buffer) => zstandard(body, zstdOptions),
  br: (body: Buffer) => brotlied(body, brotliOptions),
  gzip: (body: Buffer) => gzipped(body),
}

export const compress = (body: Buffer, encoding: Exclude<Encoding, 'identity'>) => compressors[encoding](body)

const worthCompressing = 1_000

// A list is as small with zstd as with brotli, in a tenth of the time; browsers that take both say so.
const encodings: Encoding[] = ['zstd', 'br', 'gzip', 'identity']

/** `offered`: the forms that there are, the best first. */
export function chooseEncoding<Offered extends Encoding = Encoding>(
  accepted: string | undefined,
  length: number,
  offered = encodings as Offered[],
): Offered | 'identity' {
  if (!accepted || length < worthCompressing) return 'identity'
  return (negotiate(accepted, offered) ?? 'identity') as Offered | 'identity'
}
