import { tags } from './tags.ts'

// A Postman collection (v2.1, which Bruno and Insomnia import as well), from the OpenAPI document: one folder per
// chapter, one request per operation, filled with its example.

type Parameter = { name: string; in: string; description?: string; required?: boolean; example?: unknown }
type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, unknown>[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}
export type Documentation = { paths: Record<string, Record<string, Operation>> }

export function postmanCollection({ paths }: Documentation, baseUrl: string) {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return {
    info: {
      name: 'Holdfast',
      description:
        'Set the variables `crmId` and `apiKey` of the collection. Then every request can be sent.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'crmId', value: 'demo' },
      { key: 'apiKey', value: '' },
    ],
    item: Object.entries(tags).map(([name, description]) => ({
      name,
      description,
      item: all.filter(({ operation }) => operation.tags[0] === name).map(requestOf),
    })),
  }
}

function requestOf({ path, method, operation }: { path: string; method: string; operation: Operation }) {
  const { summary, description, security, parameters, requestBody } = operation
  const given = (place: string) => parameters.filter(one => one.in === place)
  const example = requestBody?.content['application/json']?.example
  const inPath = given('path').map(({ name, example }) => ({
    key: name,
    value: name === 'crmId' ? '{{crmId}}' : text(example),
  }))
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      header: [
        ...(security.some(one => 'apiKey' in one)
          ? [{ key: 'X-SERVICE-CLIENT-ID', value: '{{apiKey}}' }]
          : []),
        ...(example === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...given('header').map(optional),
      ],
      url: {
        raw: `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{baseUrl}}'],
        path: path
          .slice(1)
          .replaceAll(/\{(\w+)\}/g, ':$1')
          .split('/'),
        variable: inPath,
        query: given('query').map(optional),
      },
      ...(example === undefined
        ? {}
        : {
            body: {
              mode: 'raw',
              raw: JSON.stringify(example, null, 2),
              options: { raw: { language: 'json' } },
            },
          }),
    },
  }
}

/** Not sent until it is switched on, unless the call needs it. */
const optional = ({ name, description, required, example }: Parameter) => ({
  key: name,
  value: text(example),
  description,
  ...(required || example !== undefined ? {} : { disabled: true }),
})

const text = (value: unknown) => (value === undefined ? '' : [value].flat().join(','))
