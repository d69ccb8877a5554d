import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Config, readConfig, settings } from '../config.ts'
import type { ChangedAddress } from '../db/backup/tenant.ts'
import { StartError } from '../lib/start-error.ts'
import type { Service } from '../service.ts'
import type { OpenOptions } from '../start/open-service.ts'

type Values = Record<string, string | boolean | undefined>

export type Command = {
  /** For example `crm create`. */
  name: string
  summary: string
  /** Names of the positional arguments, for the help text: `<name>`. */
  words?: string[]
  options?: ParseArgsOptionsConfig
  /** One line per option, by its name. */
  help?: Record<string, string>
  /** The settings that matter most for it, for the help text. */
  settings?: (keyof Config)[]
  run(input: { words: string[]; values: Values; config: Config }): Promise<void>
}

export async function runCommand(command: Command, args: string[]) {
  const { positionals, values } = parse(command, args)
  if (values.help) return print(helpFor(command))
  const wanted = command.words ?? []
  if (positionals.length !== wanted.length)
    throw new StartError(`Usage: ${usage(command)}. See holdfast ${command.name} --help.`)
  await command.run({ words: positionals, values, config: readConfig(process.env) })
}

function parse(command: Command, args: string[]) {
  const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const
  try {
    return parseArgs({ args, options, allowPositionals: true }) as { positionals: string[]; values: Values }
  } catch (error) {
    throw new StartError(`${(error as Error).message.split('\n')[0]} See holdfast ${command.name} --help.`)
  }
}

function helpFor(command: Command) {
  const options = Object.entries(command.help ?? {}).map(([name, text]) => `  --${name.padEnd(14)} ${text}`)
  const chosen = (command.settings ?? []).map(
    name => `  ${settings[name].env.padEnd(16)} ${settings[name].help}`,
  )
  return [
    usage(command),
    '',
    command.summary,
    ...(options.length ? ['', 'Options:', ...options] : []),
    ...(chosen.length
      ? ['', 'Settings, from the environment (all of them: holdfast config):', ...chosen]
      : []),
  ].join('\n')
}

const usage = ({ name, words = [], options }: Command) =>
  ['holdfast', name, ...words, ...(options ? ['[options]'] : [])].join(' ')

/** Runs the work with an open service, then closes it. */
export async function withService(
  config: Config,
  work: (service: Service) => Promise<void>,
  opening: OpenOptions = { log: () => {}, migrations: 'expect' },
) {
  // Loaded only when needed, so that --help is fast.
  const { openService } = await import('../start/open-service.ts')
  const opened = await openService(config, opening)
  try {
    await work(opened.service)
  } finally {
    await opened.close()
  }
}

/** Returns a whole number, or throws a sentence that says what is valid. */
export function countOption(name: string, value: unknown, least: number, most: number): number {
  const count = Number(value)
  if (!Number.isInteger(count) || count < least || count > most)
    throw new StartError(`--${name} must be a whole number from ${least} to ${most}.`)
  return count
}

/** For commands that can also print JSON. */
export const jsonOption = {
  options: { json: { type: 'boolean' } },
  help: { json: 'print JSON' },
} as const

export function print(text: string) {
  process.stdout.write(`${text}\n`)
}

/** Booking pages that an import could not leave where they were. */
export function sayAddresses(addresses: ChangedAddress[]) {
  for (const { from, to } of addresses)
    print(
      to === null
        ? `The former address /book/${from} is dropped: it leads to another business there.`
        : `The booking page /book/${from} is now /book/${to}: the address leads to another business there.`,
    )
}

/** Text columns, each as wide as its widest cell. */
export function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Time for running jobs and open connections to finish. */
export const stopSeconds = 10

/** Exits in time even if something hangs: nothing that was promised exists only in memory. */
export async function stopWithin(stopped: Promise<void>, seconds: number, endDatabase = async () => {}) {
  const late = setTimeout(async () => {
    process.stderr.write(`Not everything stopped within ${seconds} seconds; exiting anyway.\n`)
    await endDatabase().catch(() => {})
    process.exit(1)
  }, seconds * 1000)
  await stopped
  // Not cleared: something else may still keep the process alive after this.
  late.unref()
}

/**
 * The first signal asks to stop. Another one some seconds later forces it; one that follows immediately is a
 * duplicate.
 */
export function untilSignal(): Promise<void> {
  return new Promise(resolve => {
    let firstAt: number | null = null
    const onSignal = () => {
      if (firstAt !== null && performance.now() - firstAt > 2_000) process.exit(1)
      firstAt ??= performance.now()
      resolve()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
