import type { FastifyInstance } from 'fastify'
import { isTrouble } from '../http/wire/callers/passed-on.ts'
import { errorBody, noteError } from '../http/wire/errors.ts'
import { acceptedLanguage } from '../languages.ts'
import { html } from '../lib/html.ts'
import type { Service } from '../service.ts'
import { wordsIn } from './book/texts.ts'
import { sendPage } from './layout.ts'
import { pageTexts } from './texts.ts'

/** Whoever opens a page while nothing works is told so in their language; programs get what they get everywhere. */
export function tellTrouble(app: FastifyInstance, service: Service) {
  app.setErrorHandler((error, request, reply) => {
    const refusal = noteError(error, request, reply, service)
    const { accept, 'accept-language': accepted } = request.headers
    if (!isTrouble(reply.statusCode) || !accept?.includes('text/html'))
      return reply.type('application/json; charset=utf-8').send(errorBody(refusal))
    const language = acceptedLanguage(accepted) ?? service.config.language
    const { troubleTitle, trouble } = pageTexts[language]
    const text = reply.statusCode === 429 ? wordsIn(language, accepted).texts.busy : trouble
    return sendPage(reply, reply.statusCode, language, troubleTitle, html`<p>${text}</p>`)
  })
}
