import { accentOf, readableAccents, textOn } from '../../web/shared/color.ts'
import type { Tone } from '../../web/shared/tokens.ts'

/** A Provider's colour for pages and widgets, readable on a light and on a dark background. */
export type Theme = { light: Tone; dark: Tone; logoUrl: string | null }

export function themeOf(provider: { accentColor: string | null; logoUrl: string | null }): Theme | null {
  if (!provider.accentColor && !provider.logoUrl) return null
  const color = accentOf(provider.accentColor)
  const { light, dark } = readableAccents(color)
  return {
    light: tone(color, light),
    dark: tone(color, dark),
    logoUrl: provider.logoUrl,
  }
}

const tone = (fill: string, accent: string): Tone => ({
  accent,
  onAccent: textOn(accent),
  fill,
  onFill: textOn(fill),
})

/** The path of an uploaded logo. */
export const logoPath = (uuid: string) => `/logos/${uuid}`

/**
 * The absolute address, for use outside our pages: uploaded logos are stored as paths because the service may
 * move.
 */
export const logoAddress = (baseUrl: string, logoUrl: string | null) =>
  logoUrl?.startsWith('/') ? `${baseUrl}${logoUrl}` : logoUrl

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
  return beginnings.find(([_key, beginning]) => new RegExp(`^${beginning}`).test(head))?.[0] ?? null
}
