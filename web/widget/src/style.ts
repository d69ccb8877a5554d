import tokens from 'virtual:tokens.css?inline'
import type { PublicData } from '#shared/api-types.ts'
import base from './styles/base.css?inline'
import layout from './styles/layout.css?inline'
import month from './styles/month.css?inline'
import parts from './styles/parts.css?inline'

const first = tokens + base + layout + month + parts
let shared: CSSStyleSheet | undefined

/** One sheet for all widgets on a page. Constructed sheets are allowed under any style policy. */
export function sheet(): CSSStyleSheet {
  if (!shared) {
    shared = new CSSStyleSheet()
    shared.replaceSync(first)
  }
  return shared
}

/** Adds the styles of the steps after choosing a time. */
export const addStyles = (more: string) => sheet().replaceSync(first + more)

type Theme = PublicData['provider']['theme']
const sheets = new Map<string, CSSStyleSheet>()

/** The Provider's colour, unless the host page sets one. */
export function toneSheet(theme: Theme | undefined): CSSStyleSheet[] {
  if (!theme) return []
  const { light, dark } = theme
  const own = (name: string, key: keyof typeof light) =>
    `--own-${name}:light-dark(${light[key]},${dark[key]});`
  const rule = `.root{${own('accent', 'accent')}${own('fill', 'fill')}${own('on-fill', 'onFill')}}`
  let known = sheets.get(rule)
  if (!known) {
    known = new CSSStyleSheet()
    known.replaceSync(rule)
    sheets.set(rule, known)
  }
  return [known]
}
