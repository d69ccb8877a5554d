import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

export type Encoding = 'br' | 'gzip' | 'identity'

// Quality 4 is as fast as gzip and smaller.
export const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

export const compress = (body: Buffer, encoding: Exclude<Encoding, 'identity'>) =>
  encoding === 'br' ? brotlied(body, brotliOptions) : gzipped(body)

const worthCompressing = 1_000

const encodings: Encoding[] = ['br', 'gzip', 'identity']

export function chooseEncoding(accepted: string | undefined, length: number): Encoding {
  if (!accepted || length < worthCompressing) return 'identity'
  return (negotiate(accepted, encodings) ?? 'identity') as Encoding
}
