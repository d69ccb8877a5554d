import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorBody, recordError } from '../http/wire/errors.ts'
import { acceptedLanguage, type Language } from '../languages.ts'
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

/** Texts of the 404 page. */
const unknownTexts: Record<Language, { title: string; text: string }> = {
  de: { title: 'Seite nicht gefunden', text: 'Diese Seite gibt es nicht. Bitte prüfen Sie den Link.' },
  en: { title: 'Page not found', text: 'We can’t find this page. Check the link.' },
  fr: { title: 'Page introuvable', text: 'Cette page n’existe pas. Vérifiez le lien.' },
  es: { title: 'Página no encontrada', text: 'Esta página no existe. Compruebe el enlace.' },
  it: { title: 'Pagina non trovata', text: 'Questa pagina non esiste. Controlli il link.' },
}

/** For people who follow a broken link. Programs, which do not ask for HTML, get a JSON error. */
export function sendUnknown({ config }: Service, request: FastifyRequest, reply: FastifyReply) {
  const language = acceptedLanguage(request.headers['accept-language']) ?? config.language
  const { title, text } = unknownTexts[language]
  return sendPage(reply, 404, language, title, html`<p>${text}</p>`)
}

export const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && Boolean(headers.accept?.includes('text/html'))
