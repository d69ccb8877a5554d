import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Before anything else is loaded, so that from the second time on it comes compiled. Beside the packages: a folder that
// all users of a machine share would belong to whoever came first.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))

const { runCommandLine } = await import('./commands/index.ts')
await runCommandLine(process.argv.slice(2))
