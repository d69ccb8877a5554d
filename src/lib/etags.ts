const withoutWeakness = (tag: string) => tag.trim().replace(/^W\//, '')

/** Does If-None-Match name this ETag? Compared weakly, as RFC 9110 asks: proxies that compress make tags weak. */
export const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header === etag ||
    header.trim() === '*' ||
    header.split(',').map(withoutWeakness).includes(withoutWeakness(etag)))
