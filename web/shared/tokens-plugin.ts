import type { Plugin } from 'vite'
import { confirmationStyle } from './confirmation-style.ts'
import { type colors, huesCss, rowsCss, tokensCss } from './tokens.ts'

/**
 * Makes `virtual:tokens.css` out of the tokens that pages and emails use, too. With all colours come those of
 * the calendar, and the heights of rows. `virtual:confirmation.css` is shared with pages.
 */
export function tokens(unit: 'rem' | 'em', only?: readonly (keyof typeof colors)[]): Plugin {
  const css: Record<string, string> = {
    '/tokens.css': tokensCss('.root', unit, only) + (only ? '' : rowsCss('.root') + huesCss('.root')),
    '/confirmation.css': confirmationStyle,
  }
  return {
    name: 'tokens',
    enforce: 'pre',
    resolveId: source =>
      /^virtual:(tokens|confirmation)\.css/.test(source) ? source.replace('virtual:', '/') : null,
    load: source => css[source.split('?')[0]!] ?? null,
  }
}
