import { errorText } from '../error-texts.ts'
import { Refusal } from '../errors.ts'
import { version } from '../lib/root.ts'
import { StartError } from '../lib/start-error.ts'
import { backupCommands } from './backup.ts'
import { type Command, print, runCommand, table } from './command.ts'
import { eventCommands } from './events.ts'
import { explainCommand } from './explain.ts'
import { mailTestCommand } from './mail-test.ts'
import { manageCommands } from './manage.ts'
import { migrateCommand } from './migrate.ts'
import { pauseCommands } from './pause.ts'
import { purgeCommand } from './purge.ts'
import { queueCommands } from './queue.ts'
import { sandboxCommand } from './sandbox.ts'
import { secretCommands } from './secrets.ts'
import { serveCommand } from './serve.ts'
import { tenantCommands } from './tenant.ts'
import { tortureCommand } from './torture.ts'
import { userCommands } from './users.ts'
import { webhookCommands } from './webhooks.ts'
import { workerCommand } from './worker.ts'

const commands: Command[] = [
  serveCommand,
  sandboxCommand,
  workerCommand,
  migrateCommand,
  ...backupCommands,
  ...pauseCommands,
  ...secretCommands,
  purgeCommand,
  ...manageCommands,
  ...tenantCommands,
  ...queueCommands,
  ...userCommands,
  ...eventCommands,
  ...webhookCommands,
  mailTestCommand,
  explainCommand,
  tortureCommand,
]

/** Finds and runs the command, and reports failures in one sentence. */
export async function runCommandLine(args: string[]) {
  surviveClosedOutput()
  try {
    await findAndRun(args)
  } catch (error) {
    process.stderr.write(`${saidBy(error)}\n`)
    process.exitCode = 1
  }
}

const saidBy = (error: unknown) => {
  if (error instanceof Refusal) return errorText(error)
  return error instanceof StartError ? error.message : ((error as Error).stack ?? error)
}

/**
 * Keeps running when nothing reads the output any more (a closed pipe or terminal): bookings matter more than
 * output, and PostgreSQL has to be stopped in order. Output to a full disk also fails the command.
 */
function surviveClosedOutput() {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode = 1
    })
}

async function findAndRun(args: string[]) {
  if (args.length === 0 || args[0] === '--help' || args[0] === '-h' || args[0] === 'help')
    return print(overview())
  if (args[0] === '--version') return print(version)
  const command = commands.find(({ name }) => args.slice(0, name.split(' ').length).join(' ') === name)
  if (command) return runCommand(command, args.slice(command.name.split(' ').length))
  const group = commands.filter(({ name }) => name.startsWith(`${args[0]} `))
  if (group.length === 0) throw new StartError(`There is no command "${args[0]}". See holdfast --help.`)
  print(table(group.map(({ name, summary }) => [`holdfast ${name}`, summary])))
  if (args[1] !== undefined && !args[1].startsWith('-')) process.exitCode = 1
}

function overview() {
  const rows = commands.map(({ name, summary, words = [] }) => [`  ${[name, ...words].join(' ')}`, summary])
  return `holdfast <command> [options]\n\n${table(rows)}\n\nRun a command with --help for its options. Settings come from the environment; see holdfast config.`
}
