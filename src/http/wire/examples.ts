import { readFileSync } from 'node:fs'

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

export const exampleFile = (room: (typeof rooms)[number]) =>
  new URL(`../examples/${room}.json`, import.meta.url)

export function readExamples(): Record<string, Example> {
  return Object.assign({}, ...rooms.map(room => JSON.parse(readFileSync(exampleFile(room), 'utf8'))))
}
