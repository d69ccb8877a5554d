import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'

/** Collects what the app logs until the test ends, instead of printing it. */
export function captureLog(app: FastifyInstance): { text(): string } {
  const log = app.log as unknown as Record<symbol, unknown>
  const stream = symbolOf(log, 'pino.stream')
  const before = log[stream]
  const lines: string[] = []
  log[stream] = { write: (line: string) => lines.push(line) }
  onTestFinished(() => {
    log[stream] = before
  })
  return { text: () => lines.join('') }
}

/** The logger keeps its stream under a symbol, which children inherit. */
function symbolOf(log: object, name: string): symbol {
  for (let one = log; one; one = Object.getPrototypeOf(one))
    for (const symbol of Object.getOwnPropertySymbols(one)) if (symbol.description === name) return symbol
  throw new Error(`The logger has no ${name}.`)
}
