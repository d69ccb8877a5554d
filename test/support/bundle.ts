import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * The sources in a few files: a process that loads 700 of them takes 1.4 s of CPU time longer to start, and tests start
 * more than a hundred. Threads and clients of `torture` still run from their sources. `npm test` starts no processes.
 */
export async function bundleProgram(): Promise<{ file: string; remove(): Promise<void> }> {
  if (process.env.TESTS === 'quick') return { file: join(root, 'src/main.ts'), remove: async () => {} }
  mkdirSync(join(root, 'dist'), { recursive: true })
  // As deep below the root as src/lib, because the program finds its files from there.
  const outDir = mkdtempSync(join(root, 'dist/test-'))
  // Some tests start it as another user.
  chmodSync(outDir, 0o755)
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      ssr: 'src/main.ts',
      outDir,
      minify: false,
      target: 'esnext',
      // Files named .js would count as those of an installed package.
      rolldownOptions: { output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  })
  return { file: join(outDir, 'main.mjs'), remove: () => rm(outDir, { recursive: true, force: true }) }
}
