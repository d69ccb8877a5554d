import { accentOf, readableOn, textOn } from '../../../web/shared/color.ts'
import { colors, radii, white } from '../../../web/shared/tokens.ts'
import type { Html } from '../../lib/html.ts'
import { html } from '../../lib/html.ts'

const shade = (index: 0 | 1) => ({
  page: colors.paper[index],
  card: colors.card[index],
  panel: colors.panel[index],
  line: colors.line[index],
  text: colors.ink[index],
  muted: colors.soft[index],
})
const light = shade(0)
const dark = shade(1)

export type Palette = typeof light & { accent: string; onAccent: string; link: string }

/** The colours of an email, with the provider's accent if it is readable. */
export function paletteOf(color: string | null): Palette {
  const accent = accentOf(color)
  return { ...light, accent, onAccent: textOn(accent), link: readableOn(light.card, accent, 4.5) }
}

/** Only classes with !important can override inline styles. */
export function darkRules({ accent }: Palette): Html {
  // More than WCAG's 4.5, because colours look duller on a dark background.
  const link = readableOn(dark.card, accent, 7)
  const edge = readableOn(dark.card, accent, 3)
  return html`@media (prefers-color-scheme: dark) {
  .page { background: ${dark.page} !important; }
  .card { background: ${dark.card} !important; border-color: ${edge} ${dark.line} ${dark.line} !important; }
  .panel { background: ${dark.panel} !important; }
  .line { border-color: ${dark.line} !important; }
  .text { color: ${dark.text} !important; }
  .muted { color: ${dark.muted} !important; }
  .link, .button-quiet-link { color: ${link} !important; }
  .button-quiet, .accent-line { border-color: ${link} !important; }
  .button-primary { border-color: ${edge} !important; }
  .button-quiet { background: ${dark.card} !important; }
  .logo { color: ${light.text} !important; background: ${white}; padding: 8px; border-radius:${radii.control}px; }
}`
}

export const narrowRules: Html = html`@media (max-width: 480px) {
  .pad-page { padding: 16px 8px !important; }
  .pad-side { padding-left: 16px !important; padding-right: 16px !important; }
  .pad-card { padding: 24px 16px 4px !important; }
  .pad-panel { padding: 16px !important; }
  .cell-label { display: block !important; width: auto !important; padding: 12px 0 0 !important; }
  .cell-value { display: block !important; padding: 0 0 12px !important; border-top: 0 !important; }
  .button-box { display: table !important; width: 100% !important; margin: 0 0 12px !important; }
}`
