// A web server with calendars, which answers as the test decides.

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answering = (request: IncomingMessage, response: ServerResponse) => void

export async function startCalendarServer() {
  const server = {
    /** By path. */
    answers: new Map<string, Answering>(),
    requests: [] as IncomingMessage[],
    url: '',
    /** Serves this text with an ETag, and 304 if it is known. */
    serve(path: string, text: string) {
      server.answers.set(path, (request, response) => {
        const etag = `"${createHash('sha256').update(text).digest('hex')}"`
        if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
        response.writeHead(200, { 'content-type': 'text/calendar', etag }).end(text)
      })
      return `${server.url}${path}`
    },
    answer(path: string, answering: Answering) {
      server.answers.set(path, answering)
      return `${server.url}${path}`
    },
    close: async () => {},
  }
  const listener = createServer((request, response) => {
    server.requests.push(request)
    const answering = server.answers.get(request.url!.split('?')[0]!)
    if (answering) answering(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  server.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  server.close = async () => {
    listener.closeAllConnections()
    await new Promise(resolve => listener.close(resolve))
  }
  return server
}

export type CalendarServer = Awaited<ReturnType<typeof startCalendarServer>>

const stamp = (ms: number) => new Date(ms).toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '')

/** A calendar with these busy times. */
export const calendarWith = (spans: { from: number; to: number; title?: string }[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//test//EN',
    ...spans.flatMap(({ from, to, title = 'Dentist' }, index) => [
      'BEGIN:VEVENT',
      `UID:${index}-${from}@made`,
      `DTSTAMP:20260101T000000Z`,
      `DTSTART:${stamp(from)}`,
      `DTEND:${stamp(to)}`,
      `SUMMARY:${title}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n')
