import { readdirSync } from 'node:fs'
import type { Route } from '../../src/http/wire/route.ts'

const folder = new URL('../../src/http/', import.meta.url)

/** Every route that a file in src/http defines, whether or not app.ts lists it. */
export async function definedRoutes(): Promise<Route[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.ts'),
  )
  const modules = await Promise.all(files.map(name => import(new URL(name, folder).href)))
  return modules.flatMap(module => Object.values(module).filter(isRoute))
}

function isRoute(value: unknown): value is Route {
  return (
    typeof value === 'object' && value !== null && 'path' in value && 'handle' in value && 'access' in value
  )
}

/** An address of the route: some text for each name behind a colon. */
export const addressOf = ({ path }: Route, crmId = 'crm') =>
  path.replace(':crmId', crmId).replaceAll(/:\w+/g, 'x')
