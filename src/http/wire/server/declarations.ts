import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Access } from '../route.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
}

/** Every route declares who may call it; otherwise the service does not start. */
export function requireDeclarations(app: FastifyInstance) {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', route => void routes.push(route))
  app.addHook('onReady', async () => {
    const missing = routes.filter(({ config }) => !isDeclared(config?.access))
    const names = missing.map(({ method, url }) => `${method} ${url}`)
    if (names.length > 0) throw new Error(`Declare who may call ${names.join(', ')}.`)
  })
}

function isDeclared(access: Access | undefined): boolean {
  if (access?.kind === 'console') return Boolean(access.right && access.whose)
  return access?.kind === 'public' || Boolean(access?.scope)
}

/** For a group of pages and files: all that do not declare anything else are open to everyone. */
export function declarePublic(app: FastifyInstance) {
  app.addHook('onRoute', route => {
    route.config = { access: { kind: 'public' }, ...route.config }
  })
}
