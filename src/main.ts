import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { packagePath } from './lib/root.ts'

// Before anything else is loaded, so that from the second time on it comes compiled. Beside the packages: a folder that
// all users of a machine share would belong to the first user.
enableCompileCache(fileURLToPath(packagePath('node_modules/.cache/compiled')))

const { runCommandLine } = await import('./commands/index.ts')
await runCommandLine(process.argv.slice(2))
