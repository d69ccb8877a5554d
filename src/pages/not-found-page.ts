import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedLanguage, type Language } from '../languages.ts'
import { html } from '../lib/html.ts'
import type { Service } from '../service.ts'
import { sendPage } from './layout.ts'

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
