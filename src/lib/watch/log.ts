import { hostname } from 'node:os'
import { styleText } from 'node:util'
import { type Logger, pino } from 'pino'
import { version } from '../root.ts'
import { prettyLine } from './pretty-log.ts'

export type LogSettings = { logLevel: string; logFormat: 'json' | 'pretty' | null }

/** People read a terminal; everything else is read by programs. */
export const isPretty = ({ logFormat }: Pick<LogSettings, 'logFormat'>): boolean =>
  logFormat === null ? Boolean(process.stdout.isTTY) : logFormat === 'pretty'

/** Level names and ISO times, and the version, which tells instances apart during an upgrade. */
export function makeLog(settings: LogSettings): Logger {
  const options = {
    level: settings.logLevel,
    formatters: { level: (level: string) => ({ level }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { pid: process.pid, hostname: hostname(), version },
    redact: ['req.headers', 'res.headers'],
  }
  return isPretty(settings) ? pino(options, terminal) : pino(options)
}

// Respects NO_COLOR, and writes no colours to a file.
const terminal = {
  write(line: string) {
    process.stdout.write(
      prettyLine(line, (style, text) => styleText(style, text, { stream: process.stdout })),
    )
  },
}
