import { gzipSync } from 'node:zlib'
import { minify } from 'terser'
import { defineConfig, type Plugin } from 'vite'
import { compactTexts } from './compact-texts.ts'

// 32 KB: what a slow phone line brings within a second.
const maximumGzip = 32 * 1024

/** What one minifier leaves, another still makes smaller: a quarter of a kilobyte for every visitor. */
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

/** Everything a visitor downloads is in one file; the build fails when it outgrows its budget. */
function sizeLimit(): Plugin {
  return {
    name: 'size-limit',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle)
      const bytes = files.map(file => gzipSync(file.type === 'chunk' ? file.code : file.source).length)
      const total = bytes.reduce((sum, one) => sum + one, 0)
      if (total > maximumGzip)
        this.error(`The widget has ${total} bytes gzip; the limit is ${maximumGzip}. Make it smaller.`)
      this.info(`widget: ${total} bytes gzip of ${maximumGzip}`)
    },
  }
}

export default defineConfig({
  plugins: [compactTexts(), minifyTwice(), sizeLimit()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/web/widget',
    emptyOutDir: true,
    target: 'es2022',
    // Older ones would need a second copy of every colour.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    modulePreload: false,
    rolldownOptions: {
      input: 'src/index.ts',
      output: { format: 'es', entryFileNames: 'widget-[hash].js', codeSplitting: false },
    },
  },
})
