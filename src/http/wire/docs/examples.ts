import { readFileSync } from 'node:fs'
import { ours } from '../../../lib/root.ts'

/** One real call of an operation, as test/http/examples made it. */
export type Example = {
  path?: Record<string, string>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
  status: number
  reply?: unknown
}

export const rooms = ['setup', 'scheduling', 'booking', 'console', 'operations'] as const

export const exampleFile = (room: (typeof rooms)[number]) => ours(`src/http/examples/${room}.json`)

export function readExamples(): Record<string, Example> {
  return Object.assign({}, ...rooms.map(room => JSON.parse(readFileSync(exampleFile(room), 'utf8'))))
}
