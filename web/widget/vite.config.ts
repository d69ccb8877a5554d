import { gzipSync } from 'node:zlib'
import { minify } from 'terser'
import { defineConfig, type Plugin } from 'vite'
import { tokens } from '../shared/tokens-plugin.ts'
import { compactTexts } from './compact-texts.ts'

// 32 KB: what a slow mobile connection loads within a second.
const maximumGzip = 32 * 1024
/** For files that are loaded on demand. */
const maximumLater = 4.5 * 1024

/** A second minifier saves a quarter of a kilobyte for every visitor. */
function minifyTwice(): Plugin {
  return {
    name: 'minify-twice',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = (await minify(file.code, twice)).code!
    },
  }
}

const twice = {
  module: true,
  ecma: 2020,
  compress: { passes: 3, unsafe_arrows: true, unsafe_methods: true, pure_getters: true, keep_fargs: false },
} as const

/** Vite's helper preloads style sheets for a module. Ours have none. */
function importPlainly(): Plugin {
  return {
    name: 'import-plainly',
    enforce: 'pre',
    load: id =>
      id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = load => load()' : null,
  }
}

/** The automatic JSX runtime would repeat `children` a hundred times. */
function shortJsx(): Plugin {
  const head = `import { h as jsxNode, Fragment as JsxNodes } from 'preact'\n`
  return {
    name: 'short-jsx',
    enforce: 'pre',
    transform: (code, id) => (id.endsWith('.tsx') ? { code: head + code, map: null } : null),
  }
}

/** Everything that every visitor downloads is in one file; the build fails if a file exceeds its budget. */
function sizeLimit(): Plugin {
  return {
    name: 'size-limit',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const bytes = gzipSync(file.type === 'chunk' ? file.code : file.source).length
        const limit = file.type === 'chunk' && file.isEntry ? maximumGzip : maximumLater
        if (bytes > limit)
          this.error(`${file.fileName} has ${bytes} bytes gzip; the limit is ${limit}. Make it smaller.`)
        this.info(`${file.fileName}: ${bytes} bytes gzip of ${limit}`)
      }
    },
  }
}

/** The colours that a widget needs. */
const shown = ['ink', 'soft', 'card', 'line', 'edge', 'bad', 'badTint', 'wait', 'shadow'] as const

export default defineConfig({
  plugins: [tokens('em', shown), importPlainly(), shortJsx(), compactTexts(), minifyTwice(), sizeLimit()],
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
        entryFileNames: 'widget-main-[hash].js',
        chunkFileNames: 'widget-[name]-[hash].js',
      },
    },
  },
})
