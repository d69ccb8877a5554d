import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import { StartError } from '../lib/start-error.ts'
import type { Service } from '../service.ts'
import type { OpenOptions } from '../start/open-service.ts'

type Values = Record<string, string | boolean | undefined>

export type Command = {
  /** For example `crm create`. */
  name: string
  summary: string
  /** Names of the words behind the command, for the help text: `<name>`. */
  words?: string[]
  options?: ParseArgsOptionsConfig
  /** One line for each option, by its name. */
  help?: Record<string, string>
  run(input: { words: string[]; values: Values; config: Config }): Promise<void>
}

export async function runCommand(command: Command, args: string[]) {
  const { positionals, values } = parse(command, args)
  if (values.help) return say(helpFor(command))
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
  return [usage(command), '', command.summary, ...(options.length ? ['', 'Options:', ...options] : [])].join(
    '\n',
  )
}

const usage = ({ name, words = [], options }: Command) =>
  ['holdfast', name, ...words, ...(options ? ['[options]'] : [])].join(' ')

/** Runs the work on an opened service and closes it again. */
export async function withService(
  config: Config,
  work: (service: Service) => Promise<void>,
  opening: OpenOptions = { log: () => {}, migrations: 'expect' },
) {
  // Loaded only when needed: help must not wait for the whole service.
  const { openService } = await import('../start/open-service.ts')
  const opened = await openService(config, opening)
  try {
    await work(opened.service)
  } finally {
    await opened.close()
  }
}

/** A whole number, or one sentence about what it must be. */
export function countOption(name: string, value: unknown, least: number, most: number): number {
  const count = Number(value)
  if (!Number.isInteger(count) || count < least || count > most)
    throw new StartError(`--${name} must be a whole number from ${least} to ${most}.`)
  return count
}

/** For commands that have something to tell to machines as well. */
export const forMachines = {
  options: { json: { type: 'boolean' } },
  help: { json: 'for machines' },
} as const

export function say(text: string) {
  process.stdout.write(`${text}\n`)
}

/** What a service says: words for people at a terminal, for machines a line of its log. */
export function announce(text: string, details: object = {}) {
  if (process.stdout.isTTY) return say(text)
  for (const msg of text.split('\n').filter(line => line.trim()))
    say(JSON.stringify({ level: 30, time: Date.now(), pid: process.pid, ...details, msg: msg.trim() }))
}

/** Columns for people: as wide as their widest cell. */
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

/** For jobs that run, and for goodbyes. */
export const leavingSeconds = 10

/** Whoever was told to stop is gone in time, whatever hangs: nothing that was promised is in its memory only. */
export async function inTime(stopped: Promise<void>, seconds: number) {
  const late = setTimeout(() => {
    process.stderr.write(`Not everything ended within ${seconds} seconds; leaving it.\n`)
    process.exit(1)
  }, seconds * 1000)
  await stopped
  clearTimeout(late)
}

/** The first signal asks to stop. Another one some seconds later means now; at once it is the same one, sent twice. */
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
