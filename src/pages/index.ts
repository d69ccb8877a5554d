import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import type { Service } from '../service.ts'
import { addCancelPage } from './cancel.ts'
import { addConsolePages } from './console.ts'
import { addDecisionPages } from './decide.ts'
import { addVerifyPage } from './verify.ts'

/** The pages that links in mails open. Only here are forms accepted as bodies. */
export async function addPages(app: FastifyInstance, service: Service) {
  await app.register(formbody)
  addVerifyPage(app, service)
  addCancelPage(app, service)
  addDecisionPages(app, service)
  addConsolePages(app, service)
}
