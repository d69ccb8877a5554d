import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

// Integrators' tools in a separate folder: `node scripts/prepare.js test` installs them.

const tools = fileURLToPath(new URL('../../clients/tools', import.meta.url))
const ours = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url))

/** Runs a tool in the folder and returns its output. Fails if the tool fails. */
export async function runTool(folder: string, name: string, args: string[]): Promise<string> {
  const env = {
    ...process.env,
    PATH: [join(tools, 'node_modules', '.bin'), ours, process.env.PATH].join(delimiter),
  }
  try {
    const { stdout, stderr } = await promisify(execFile)(name, args, { cwd: folder, env })
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${name} ${args.join(' ')}\n${stdout}${stderr}`)
  }
}

/** Beside the tools, so that generated code finds its packages. */
export async function makeFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tools, 'generated-'))
  return { folder, remove: () => rm(folder, { recursive: true }) }
}
