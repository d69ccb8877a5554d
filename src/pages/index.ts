import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { declarePublic } from '../http/wire/server/declarations.ts'
import type { Service } from '../service.ts'
import { addBookingPage } from './book/page.ts'
import { addSeriesPages } from './book/series.ts'
import { addCalendarFeed } from './calendar-feed.ts'
import { addConsolePages } from './console/page.ts'
import { addDemoPage } from './demo.ts'
import { addDocPages } from './docs/pages.ts'
import { addErrorPages } from './error-pages.ts'
import { addFrontPage } from './front-page.ts'
import { addAnswersPage } from './links/answers.ts'
import { addConfirmationPage } from './links/booked.ts'
import { addCancelPage } from './links/cancel.ts'
import { addConfirmPage } from './links/confirm.ts'
import { addDetailsPage } from './links/confirm-details.ts'
import { addDecisionPages } from './links/decide.ts'
import { addMovePage } from './links/move.ts'
import { addVerifyPage } from './links/verify.ts'
import { addLogos } from './logo.ts'
import { addOwnPage } from './my/page.ts'
import { addEntryPage } from './waiting/entry.ts'
import { addJoinPage } from './waiting/join.ts'
import { addOfferPage } from './waiting/offer.ts'
import { addWidgetFiles } from './widget-files.ts'

/**
 * The booking page and the pages behind links in emails. Only these accept forms as bodies. Open
 * to everyone, unless a page declares who may see it.
 */
export async function addPages(app: FastifyInstance, service: Service) {
  await app.register(formbody)
  declarePublic(app)
  addErrorPages(app, service)
  addFrontPage(app, service)
  addDocPages(app, service)
  addWidgetFiles(app)
  addLogos(app, service)
  addBookingPage(app, service)
  addDemoPage(app, service)
  addVerifyPage(app, service)
  addCancelPage(app, service)
  addMovePage(app, service)
  addConfirmationPage(app, service)
  addDecisionPages(app, service)
  addDetailsPage(app, service)
  addAnswersPage(app, service)
  addSeriesPages(app, service)
  addJoinPage(app, service)
  addEntryPage(app, service)
  addOfferPage(app, service)
  addConfirmPage(app, service)
  addOwnPage(app, service)
  addConsolePages(app, service)
  addCalendarFeed(app, service)
}
