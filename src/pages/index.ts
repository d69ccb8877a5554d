import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import type { Service } from '../service.ts'
import { addBookingPage } from './book.ts'
import { addCancelPage } from './cancel.ts'
import { addConsolePages } from './console.ts'
import { addDecisionPages } from './decide.ts'
import { addDemoPage } from './demo.ts'
import { addVerifyPage } from './verify.ts'
import { addWidgetFiles } from './widget-files.ts'

/** The booking page and the pages that links in mails open. Only here are forms accepted as bodies. */
export async function addPages(app: FastifyInstance, service: Service) {
  await app.register(formbody)
  addWidgetFiles(app)
  addBookingPage(app, service)
  addDemoPage(app, service)
  addVerifyPage(app, service)
  addCancelPage(app, service)
  addDecisionPages(app, service)
  addConsolePages(app, service)
}
