// Sends bytes that it was given, by path: the least that a list from memory can cost.

import { serveBare } from './serve.ts'

serveBare(
  (answers: Map<string, { body: Buffer; headers: Record<string, string> }>) => (request, response) => {
    const { body, headers } = answers.get(request.url!)!
    response.writeHead(200, headers)
    response.end(body)
  },
)
