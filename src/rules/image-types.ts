// Uploaded images are recognised by their first bytes: names and content types cannot be trusted.

const beginnings = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '474946383[79]61'],
  ['image/webp', '52494646.{8}57454250'],
] as const

/** Null if the format is not one that all browsers and email clients display. */
export function pictureType(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 16).toString('hex')
  return beginnings.find(([, beginning]) => new RegExp(`^${beginning}`).test(head))?.[0] ?? null
}
