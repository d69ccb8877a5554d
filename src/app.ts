// Builds the server and lists every route. Nothing listens here: see serve.ts.

import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import * as accounts from './http/accounts.ts'
import { redirectToCanonicalHost } from './http/canonical-host.ts'
import { addDocs } from './http/docs.ts'
import * as mails from './http/mails.ts'
import { addOpsRoutes } from './http/ops.ts'
import * as products from './http/products.ts'
import * as profiles from './http/profiles.ts'
import * as providers from './http/providers.ts'
import { register } from './http/register.ts'
import * as resources from './http/resources.ts'
import type { Route } from './http/route.ts'
import { makeServer } from './http/server.ts'
import * as users from './http/users.ts'
import { addPages } from './pages/index.ts'
import type { Service } from './service.ts'

/** Groups A and B: for integrators. Served under both prefixes. */
const crmRoutes: Route[] = [
  users.createUser,
  users.getUser,
  accounts.createAccount,
  accounts.getAccount,
  providers.createProvider,
  providers.getProvider,
  providers.listStaff,
  providers.addStaff,
  providers.removeStaff,
  products.createProduct,
  products.getProducts,
  resources.createResource,
  resources.updateResource,
  resources.getResources,
  resources.deleteResource,
  profiles.getGeneralProfile,
  profiles.updateGeneralProfile,
  profiles.getProviderProfile,
  profiles.saveProviderProfile,
]

/** For the web console and for operators' scripts. */
const consoleRoutes: Route[] = [mails.getMails, mails.getMail]

const olderPrefix = '/rest/1'

export async function buildApp(service: Service): Promise<FastifyInstance> {
  const app = makeServer(service)
  redirectToCanonicalHost(app, service.baseUrl)
  await app.register(cookie)
  await addDocs(app, service.baseUrl)
  addOpsRoutes(app, service)
  for (const route of crmRoutes) {
    register(app, service, route)
    register(app, service, route, { prefix: olderPrefix, hidden: true })
  }
  for (const route of consoleRoutes) register(app, service, route)
  await app.register(async scope => addPages(scope, service))
  return app
}
