import { enableCompileCache } from 'node:module'

// Before anything else is loaded, so that from the second time on it comes compiled.
enableCompileCache()

const { runCommandLine } = await import('./commands/index.ts')
await runCommandLine(process.argv.slice(2))
