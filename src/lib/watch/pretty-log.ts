import type { InspectColor } from 'node:util'

/** Colours a text, or not. */
export type Paint = (style: InspectColor, text: string) => string

type Entry = {
  level: string
  time: string
  msg?: string
  err?: { message?: string; stack?: string }
} & Record<string, unknown>

const colors: Record<string, InspectColor> = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow',
  info: 'green',
  debug: 'cyan',
  trace: 'gray',
}

/** The same in every line of a process. */
const constant = ['pid', 'hostname', 'version']

/** One line of JSON as a person reads it; only errors have more lines, with their stack. */
export function prettyLine(line: string, paint: Paint): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(line) as Entry
  for (const name of constant) delete fields[name]
  const stack = err?.stack && ['error', 'fatal'].includes(level) ? `${printable(err.stack, true)}\n` : ''
  if (err && !stack) fields.error = err.message
  const text = [
    paint('gray', time),
    paint(colors[level] ?? 'white', level.toUpperCase().padEnd(5)),
    messageOf(msg, fields),
    paint('gray', detailsOf(fields)),
  ]
  return `${text.join(' ').trimEnd()}\n${stack}`
}

/** For a request: its status, method, route and duration instead of the message. */
function messageOf(msg: string, fields: Record<string, unknown>): string {
  const { method, route, status, ms } = fields
  if (status === undefined || ms === undefined) return printable(msg)
  for (const name of ['method', 'route', 'status', 'ms']) delete fields[name]
  return `${status} ${method} ${route ?? 'unknown path'} ${ms} ms`
}

const detailsOf = (fields: Record<string, unknown>) =>
  Object.entries(fields)
    .filter(([_key, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${shown(value)}`)
    .join(' ')

const shown = (value: unknown) =>
  typeof value === 'string' && /^[\w.:/@+-]+$/.test(value) ? value : printable(JSON.stringify(value))

/** Control characters could change what the terminal shows. */
const printable = (text: string, keepLines = false) =>
  text.replaceAll(/\p{Cc}/gu, char => (keepLines && char === '\n' ? char : ' '))
