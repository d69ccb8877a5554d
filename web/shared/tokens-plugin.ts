import type { Plugin } from 'vite'
import { type colors, huesCss, rowsCss, tokensCss } from './tokens.ts'

const id = '/tokens.css'

/**
 * Makes `virtual:tokens.css` out of the tokens that pages and emails use, too. With all colours come those of
 * the calendar, and the heights of rows.
 */
export function tokens(unit: 'rem' | 'em', only?: readonly (keyof typeof colors)[]): Plugin {
  const css = tokensCss('.root', unit, only) + (only ? '' : rowsCss('.root') + huesCss('.root'))
  return {
    name: 'tokens',
    enforce: 'pre',
    resolveId: source =>
      source.startsWith('virtual:tokens.css') ? source.replace('virtual:tokens.css', id) : null,
    load: source => (source.split('?')[0] === id ? css : null),
  }
}
