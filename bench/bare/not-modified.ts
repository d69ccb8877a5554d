// Answers 304 when the tag is the one that it was given: the least that a conditional list can cost.

import { serveBare } from './serve.ts'

serveBare((tags: Map<string, string>) => (request, response) => {
  const etag = tags.get(request.url!)!
  response.writeHead(request.headers['if-none-match'] === etag ? 304 : 500, { etag })
  response.end()
})
