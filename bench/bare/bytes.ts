// Sends given bytes by path: the lower bound for a list from memory.

import { serveBare } from './serve.ts'

serveBare(
  (answers: Map<string, { body: Buffer; headers: Record<string, string> }>) => (request, response) => {
    const { body, headers } = answers.get(request.url!)!
    response.writeHead(200, headers)
    response.end(body)
  },
)
