import type { PublicData } from '#shared/api-types.ts'
import tokens from '#shared/tokens.css?inline'
import base from './styles/base.css?inline'
import form from './styles/form.css?inline'
import layout from './styles/layout.css?inline'
import month from './styles/month.css?inline'
import parts from './styles/parts.css?inline'

let shared: CSSStyleSheet | undefined

/** One sheet for all widgets on a page. Constructed sheets are allowed under any style policy. */
export function sheet(): CSSStyleSheet {
  if (!shared) {
    shared = new CSSStyleSheet()
    shared.replaceSync(tokens + base + layout + month + parts + form)
  }
  return shared
}

type Theme = PublicData['provider']['theme']
const sheets = new Map<string, CSSStyleSheet>()

/** The Provider's colour, unless the host page sets one. */
export function toneSheet(theme: Theme | undefined): CSSStyleSheet[] {
  if (!theme) return []
  const { light, dark } = theme
  const rule = `.root{--accent:var(--holdfast-accent,light-dark(${light.accent},${dark.accent}));--on-accent:var(--holdfast-on-accent,light-dark(${light.onAccent},${dark.onAccent}))}`
  let known = sheets.get(rule)
  if (!known) {
    known = new CSSStyleSheet()
    known.replaceSync(rule)
    sheets.set(rule, known)
  }
  return [known]
}
