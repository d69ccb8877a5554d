import { enableCompileCache } from 'node:module'

// Before anything else is loaded, so that from the second time on it comes compiled. Beside the packages: a folder that
// all users of a machine share would belong to whoever came first.
enableCompileCache(new URL('../node_modules/.cache/compiled', import.meta.url).pathname)

const { runCommandLine } = await import('./commands/index.ts')
await runCommandLine(process.argv.slice(2))
