import { accent, black, colors, white } from './tokens.ts'

/** The provider's colour if it is valid (#abc or #aabbcc), else ours. */
export function accentOf(color: string | null): string {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color?.trim() ?? '')?.[1]?.toLowerCase()
  if (!digits) return accent[0]
  return digits.length === 6 ? `#${digits}` : `#${digits.replace(/./g, '$&$&')}`
}

/** The colour for links and thin strokes, readable on light and on dark cards. */
export const readableAccents = (color: string) => ({
  light: readableOn(colors.card[0], color, 4.5),
  dark: readableOn(colors.card[1], color, 6),
})

/** Black or white, whichever has more contrast against the colour. */
export function textOn(background: string): string {
  return contrast(white, background) >= contrast(black, background) ? white : black
}

/** The colour, darkened or lightened until it reaches this contrast ratio against the background. */
export function readableOn(background: string, color: string, ratio: number): string {
  const pole = textOn(background)
  const steps = Array.from({ length: 21 }, (_, step) => mix(color, pole, step / 20))
  return steps.find(candidate => contrast(candidate, background) >= ratio) ?? pole
}

export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map(value => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** `share` of the other one. */
export function mix(color: string, other: string, share: number): string {
  const target = channels(other)
  const mixed = channels(color).map((value, index) =>
    Math.round(value + ((target[index] ?? 0) - value) * share),
  )
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

function channels(color: string): number[] {
  return [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
}
