import { gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { tokens } from '../shared/tokens-plugin.ts'
import { splitTexts } from './split-texts.ts'

// 32 KB: what a slow mobile connection loads within a second. With /embed.js: test/web/hosts.test.ts.
const maximumGzip = 32 * 1024
/** What every visitor who books in English loads. */
const everyBooking = /^widget-(main|steps|en)-/
/** For each of the other files. */
const maximumOther = 6 * 1024

/** Vite's helper preloads style sheets for a module. Ours have none. */
function importPlainly(): Plugin {
  return {
    name: 'import-plainly',
    enforce: 'pre',
    load: id =>
      id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = load => load()' : null,
  }
}

const render = new URL('src/ui/render.ts', import.meta.url).pathname

/** The automatic JSX runtime would repeat `children` a hundred times. */
function shortJsx(): Plugin {
  const head = (id: string) =>
    id.includes('/ui/later/')
      ? `import { jsxNode, JsxNodes } from './kit.ts'\n`
      : `import { h as jsxNode, Fragment as JsxNodes } from '${render}'\n`
  return {
    name: 'short-jsx',
    enforce: 'pre',
    transform: (code, id) => (id.endsWith('.tsx') ? { code: head(id) + code, map: null } : null),
  }
}

/** The build fails if a plain booking or another file exceeds its budget. */
function sizeLimit(): Plugin {
  return {
    name: 'size-limit',
    generateBundle(_options, bundle) {
      const check = (name: string, bytes: number, limit: number) => {
        if (bytes > limit) this.error(`${name}: ${bytes} bytes gzip; the limit is ${limit}. Make it smaller.`)
        this.info(`${name}: ${bytes} bytes gzip of ${limit}`)
      }
      let sum = 0
      for (const file of Object.values(bundle)) {
        const bytes = gzipSync(file.type === 'chunk' ? file.code : file.source).length
        const isAlways = everyBooking.test(file.fileName)
        check(file.fileName, bytes, isAlways ? maximumGzip : maximumOther)
        if (isAlways) sum += bytes
      }
      check('a plain booking', sum, maximumGzip)
    },
  }
}

/** The colours that a widget needs. */
const shown = ['ink', 'soft', 'card', 'line', 'edge', 'bad', 'badTint', 'wait', 'shadow'] as const

export default defineConfig({
  plugins: [tokens('em', shown), importPlainly(), shortJsx(), splitTexts(), sizeLimit()],
  oxc: { jsx: { runtime: 'classic', pragma: 'jsxNode', pragmaFrag: 'JsxNodes' } },
  build: {
    outDir: '../../dist/web/widget',
    emptyOutDir: true,
    target: 'es2022',
    // Older browsers would need a second copy of every colour.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    modulePreload: false,
    rolldownOptions: {
      input: 'src/index.ts',
      output: {
        format: 'es',
        entryFileNames: 'widget-main-[hash:6].js',
        chunkFileNames: 'widget-[name]-[hash:6].js',
      },
    },
  },
})
