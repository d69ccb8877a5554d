import type { FastifyInstance } from 'fastify'
import { methodNotAllowed, Refusal } from '../../../errors.ts'

// Explains why no route matches: a wrong method, or a slash.

type Known = { method: string; segments: string[] }

/** Records every route that is added, and returns the reason why none matches. */
export function trackRoutes(app: FastifyInstance): (method: string, path: string) => Refusal {
  const routes: Known[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, segments: url.split('/') })
  })
  return (method, path) => refusalFor(routes, method, path)
}

function refusalFor(routes: Known[], method: string, path: string): Refusal {
  const allowed = methodsOf(routes, path)
  // A route of this method reports a missing record itself.
  if (allowed.length > 0 && !allowed.includes(method)) return methodNotAllowed(method, path, allowed)
  return unknownPath(routes, method, path)
}

function unknownPath(routes: Known[], method: string, path: string): Refusal {
  const named = `${method} ${path}`
  const shorter = path.replace(/\/+$/, '')
  if (shorter !== path && methodsOf(routes, shorter).length > 0)
    return new Refusal('not-found', { rule: 'path:slash', path: named, shorter })
  if (routes.some(route => route.method === method && fitsJoined(route.segments, path.split('/'))))
    return new Refusal('not-found', { rule: 'path:escape', path: named })
  return new Refusal('not-found', { rule: 'path', path: named })
}

const methodsOf = (routes: Known[], path: string) => {
  const segments = path.split('/')
  return [
    ...new Set(routes.filter(route => fits(route.segments, segments)).map(route => route.method)),
  ].sort()
}

const isParameter = (segment: string) => segment.startsWith(':')

function fits(pattern: string[], segments: string[]): boolean {
  if (pattern.at(-1) === '*') return fitsBelow(pattern.slice(0, -1), segments)
  return (
    pattern.length === segments.length &&
    pattern.every((one, index) => (isParameter(one) ? segments[index] !== '' : one === segments[index]))
  )
}

/** A wildcard page does not count as a match for API paths below it. */
const fitsBelow = (pattern: string[], segments: string[]): boolean =>
  segments[pattern.length] !== 'api' && fits(pattern, segments.slice(0, pattern.length))

/** Whether the path would match if one parameter spanned several segments. */
function fitsJoined(pattern: string[], segments: string[]): boolean {
  const surplus = segments.length - pattern.length
  return (
    surplus > 0 &&
    pattern.some((one, index) => {
      if (!isParameter(one)) return false
      const joined = segments.slice(index, index + surplus + 1).join('%2F')
      return fits(pattern, segments.toSpliced(index, surplus + 1, joined))
    })
  )
}
