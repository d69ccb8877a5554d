const withoutWeakness = (tag: string) => tag.trim().replace(/^W\//, '')

/**
 * Whether If-None-Match names this ETag. Compared weakly (RFC 9110), because compressing proxies make tags
 * weak.
 */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header === etag ||
    header.trim() === '*' ||
    header.split(',').map(withoutWeakness).includes(withoutWeakness(etag)))
