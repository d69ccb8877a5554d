import { gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { tokens } from '../shared/tokens-plugin.ts'

const maximumGzip = 150_000

/** What the first page loads: the entry with its static imports. Pages are loaded when they are opened. */
function firstPageLimit(): Plugin {
  return {
    name: 'first-page-limit',
    generateBundle(_options, bundle) {
      const wanted = new Set<string>()
      const add = (name: string) => {
        const file = bundle[name]
        if (file?.type !== 'chunk' || wanted.has(name)) return
        wanted.add(name)
        for (const one of file.imports) add(one)
      }
      for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.isEntry) add(file.fileName)
      const bytes = [...wanted].map(name => {
        const file = bundle[name]!
        return file.type === 'chunk' ? gzipSync(file.code).length : 0
      })
      const total = bytes.reduce((sum, one) => sum + one, 0)
      if (total > maximumGzip)
        this.error(`The console's first page has ${total} bytes gzip; the limit is ${maximumGzip}.`)
      this.info(`console: ${total} bytes gzip of ${maximumGzip} for the first page`)
    },
  }
}

export default defineConfig({
  plugins: [tokens('rem'), firstPageLimit()],
  base: '/console/assets/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/web/console',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // The service reads from it which files the first page needs.
    manifest: 'manifest.json',
    assetsDir: '',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'src/main.tsx',
      output: {
        format: 'es',
        entryFileNames: 'console-[hash].js',
        chunkFileNames: 'part-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
      },
    },
  },
})
