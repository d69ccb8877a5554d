// The command line: finds the command, runs it, and says in one sentence what is wrong when it cannot.

import { enableCompileCache } from 'node:module'
import { type Command, runCommand, say, table } from './commands/command.ts'
import { explainCommand } from './commands/explain.ts'
import { manageCommands } from './commands/manage.ts'
import { serveCommand } from './commands/serve.ts'
import { Refusal } from './errors.ts'
import { StartError } from './start-error.ts'

// What a command needs is loaded when it runs; from the second time on it comes compiled.
enableCompileCache()

const commands: Command[] = [serveCommand, ...manageCommands, explainCommand]

try {
  await main(process.argv.slice(2))
} catch (error) {
  const expected = error instanceof StartError || error instanceof Refusal
  process.stderr.write(`${expected ? error.message : ((error as Error).stack ?? error)}\n`)
  process.exitCode = 1
}

async function main(args: string[]) {
  if (args.length === 0 || args[0] === '--help' || args[0] === '-h' || args[0] === 'help')
    return say(overview())
  const command = commands.find(({ name }) => args.slice(0, name.split(' ').length).join(' ') === name)
  if (command) return runCommand(command, args.slice(command.name.split(' ').length))
  const group = commands.filter(({ name }) => name.startsWith(`${args[0]} `))
  if (group.length === 0) throw new StartError(`There is no command "${args[0]}". See holdfast --help.`)
  say(table(group.map(({ name, summary }) => [`holdfast ${name}`, summary])))
  if (args[1] !== undefined && !args[1].startsWith('-')) process.exitCode = 1
}

function overview() {
  const rows = commands.map(({ name, summary, words = [] }) => [`  ${[name, ...words].join(' ')}`, summary])
  return `holdfast <command> [options]\n\n${table(rows)}\n\nEach command explains itself with --help. Settings come from the environment; see holdfast config.`
}
