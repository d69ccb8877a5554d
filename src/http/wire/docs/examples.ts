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

export const areas = ['setup', 'scheduling', 'booking', 'console', 'operations'] as const

export const exampleFile = (area: (typeof areas)[number]) => packagePath(`src/http/examples/${area}.json`)

export function readExamples(): Record<string, Example> {
  return Object.assign({}, ...areas.map(area => JSON.parse(readFileSync(exampleFile(area), 'utf8'))))
}
