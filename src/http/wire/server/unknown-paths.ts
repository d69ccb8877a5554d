import type { FastifyInstance } from 'fastify'
import { methodNotAllowed, Refusal } from '../../../errors.ts'

// What a request that no route takes is told: the method may be wrong, or a slash.

type Known = { method: string; segments: string[] }

/** Notes every route as it is added, and answers with the reason why none of them fits. */
export function noteRoutes(app: FastifyInstance): (method: string, path: string) => Refusal {
  const routes: Known[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, segments: url.split('/') })
  })
  return (method, path) => refusalFor(routes, method, path)
}

function refusalFor(routes: Known[], method: string, path: string): Refusal {
  const allowed = methodsOf(routes, path)
  // A route of this method that has nothing to show says so itself.
  if (allowed.length > 0 && !allowed.includes(method)) return methodNotAllowed(method, path, allowed)
  return new Refusal('not-found', `There is no ${method} ${path}. ${hint(routes, method, path)}`)
}

function hint(routes: Known[], method: string, path: string): string {
  const shorter = path.replace(/\/+$/, '')
  if (shorter !== path && methodsOf(routes, shorter).length > 0)
    return `Leave out the slash at its end: ${shorter}`
  if (routes.some(route => route.method === method && fitsJoined(route.segments, path.split('/'))))
    return 'A slash inside a reference must be sent as %2F.'
  return 'See /docs.'
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

/** A page with any number of addresses does not speak for the API that stands below it. */
const fitsBelow = (pattern: string[], segments: string[]): boolean =>
  segments[pattern.length] !== 'api' && fits(pattern, segments.slice(0, pattern.length))

/** Would it fit if one of its parameters reached over several segments? */
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
