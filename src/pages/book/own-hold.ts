import type { FastifyReply } from 'fastify'
import type { Service } from '../../service.ts'
import type { BookRequest } from './open-page.ts'

// Without JavaScript a second tab cannot know that the visitor already holds a time: it would be "taken", or
// in a group cost a second place. One cookie says so, for this page and as long as the hold lasts.

const cookie = 'holdfast_hold'

/** The page's own path: other pages do not receive the cookie. */
const pathOf = ({ url }: BookRequest) => url.replace(/\/(reserve|complete|times)(\?.*)?$/, '')

export function rememberHold(
  { baseUrl }: Service,
  request: BookRequest,
  reply: FastifyReply,
  held: string,
  until: number,
) {
  reply.setCookie(cookie, held, {
    path: pathOf(request),
    httpOnly: true,
    sameSite: 'lax',
    secure: baseUrl.startsWith('https:'),
    expires: new Date(until),
  })
}

export const rememberedHold = (request: BookRequest): string => request.cookies[cookie] ?? ''

export const forgetHold = (request: BookRequest, reply: FastifyReply) =>
  reply.clearCookie(cookie, { path: pathOf(request) })
