import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedLanguage } from '../languages.ts'
import { html } from '../lib/html.ts'
import type { Service } from '../service.ts'
import { sendPage } from './layout.ts'
import { unknownTexts } from './not-found-texts.ts'

/** For people who follow a broken link. Programs, which do not ask for HTML, get a JSON error. */
export function sendUnknown({ config }: Service, request: FastifyRequest, reply: FastifyReply) {
  const language = acceptedLanguage(request.headers['accept-language']) ?? config.language
  const { title, text } = unknownTexts[language]
  return sendPage(reply, 404, language, title, html`<p>${text}</p>`)
}

export const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && Boolean(headers.accept?.includes('text/html'))
