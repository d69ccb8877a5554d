import { colors, type Tone } from '../../web/shared/tokens.ts'
import { accentOf, readableOn, textOn } from './color.ts'

/** A Provider's colour for pages and widgets, readable on a light and on a dark background. */
export type Theme = { light: Tone; dark: Tone; logoUrl: string | null }

export function themeOf(provider: { accentColor: string | null; logoUrl: string | null }): Theme | null {
  if (!provider.accentColor && !provider.logoUrl) return null
  const color = accentOf(provider.accentColor)
  return {
    light: tone(color, readableOn(colors.card[0], color, 4.5)),
    dark: tone(color, readableOn(colors.card[1], color, 6)),
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
