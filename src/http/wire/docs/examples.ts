import { readFileSync } from 'node:fs'
import { packagePath } from '../../../lib/root.ts'

/** A real call of an operation, recorded by test/http/examples. */
export type Example = {
  path?: Record<string, string>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
  status: number
  reply?: unknown
}

export const rooms = ['setup', 'scheduling', 'booking', 'console', 'operations'] as const

export const exampleFile = (room: (typeof rooms)[number]) => packagePath(`src/http/examples/${room}.json`)

export function readExamples(): Record<string, Example> {
  return Object.assign({}, ...rooms.map(room => JSON.parse(readFileSync(exampleFile(room), 'utf8'))))
}
