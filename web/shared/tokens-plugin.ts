import type { Plugin } from 'vite'
import { type colors, tokensCss } from './tokens.ts'

const id = '/tokens.css'

/** Makes `virtual:tokens.css` out of the tokens that pages and emails use, too. */
export function tokens(unit: 'rem' | 'em', only?: readonly (keyof typeof colors)[]): Plugin {
  return {
    name: 'tokens',
    enforce: 'pre',
    resolveId: source =>
      source.startsWith('virtual:tokens.css') ? source.replace('virtual:tokens.css', id) : null,
    load: source => (source.split('?')[0] === id ? tokensCss('.root', unit, only) : null),
  }
}
