import { gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const maximumGzip = 32 * 1024

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
  plugins: [sizeLimit()],
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
