import type { FastifyInstance } from 'fastify'
import { errorBody, recordError } from '../http/wire/errors.ts'
import { acceptedLanguage } from '../languages.ts'
import { html } from '../lib/html.ts'
import type { Service } from '../service.ts'
import { wordsIn } from './book/texts.ts'
import { sendPage } from './layout.ts'
import { pageTexts } from './texts.ts'

/** Anything but a refusal that the page itself can explain. */
const isOutage = (status: number): boolean => status >= 500 || status === 429

/** Visitors get an outage page in their language; programs get the usual JSON error. */
export function addErrorPages(app: FastifyInstance, service: Service) {
  app.setErrorHandler((error, request, reply) => {
    const refusal = recordError(error, request, reply, service)
    const { accept, 'accept-language': accepted } = request.headers
    const isAway = refusal.code === 'suspended' || refusal.code === 'moved'
    if (!(isAway || isOutage(reply.statusCode)) || !accept?.includes('text/html'))
      return reply.type('application/json; charset=utf-8').send(errorBody(refusal))
    const language = acceptedLanguage(accepted) ?? service.config.language
    const { serverErrorTitle, serverError, ...texts } = pageTexts[language]
    if (refusal.code === 'suspended')
      return sendPage(reply, 503, language, texts.suspendedTitle, html`<p>${texts.suspended}</p>`)
    if (refusal.code === 'moved')
      return sendPage(
        reply,
        reply.statusCode,
        language,
        texts.pageMovedTitle,
        html`<p>${texts.pageMoved}</p>`,
      )
    const text = reply.statusCode === 429 ? wordsIn(language, accepted).texts.tooMany : serverError
    return sendPage(reply, reply.statusCode, language, serverErrorTitle, html`<p>${text}</p>`)
  })
}
