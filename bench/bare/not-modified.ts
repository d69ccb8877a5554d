// Answers 304 if the tag matches: the lower bound for a conditional list.

import { serveBare } from './serve.ts'

serveBare((tags: Map<string, string>) => (request, response) => {
  const etag = tags.get(request.url!)!
  response.writeHead(request.headers['if-none-match'] === etag ? 304 : 500, { etag })
  response.end()
})
