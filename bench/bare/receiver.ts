// Accepts all webhooks, optionally after a pause; GET returns their number.

import { setTimeout as pause } from 'node:timers/promises'
import { serveBare } from './serve.ts'

serveBare(({ pauseMs }: { pauseMs: number }) => {
  let received = 0
  return async (request, response) => {
    if (request.method === 'GET') return response.end(String(received))
    for await (const _ of request);
    if (pauseMs > 0) await pause(pauseMs)
    received++
    response.writeHead(204).end()
  }
})
