// Writes clients/ts/operations.ts out of our own OpenAPI document. `--check` says whether it is up to date.

import { readFile, writeFile } from 'node:fs/promises'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDb } from '../src/db/base/pool.ts'
import { ErrorBody } from '../src/http/wire/wrapper.ts'
import { makeSigner } from '../src/lib/signer.ts'
import { makeService } from '../src/start/make-service.ts'

const file = new URL('../clients/ts/operations.ts', import.meta.url)

let named: Record<string, Schema> = {}

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  $ref?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
}
type Parameter = { in: string; name: string; required?: boolean; schema: Schema }
type Content = { content?: { 'application/json'?: { schema: Schema } } }
type Operation = {
  summary?: string
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

if (import.meta.main) {
  const text = await clientTypes()
  const isSame = (await readFile(file, 'utf8').catch(() => '')) === text
  if (process.argv.includes('--check')) process.exitCode = isSame ? 0 : 1
  else await writeFile(file, text)
}

export async function clientTypes(): Promise<string> {
  const { paths, components } = (await openApi()) as unknown as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  named = components.schemas
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      operationText(`${method.toUpperCase()} ${path}`, operation),
    ),
  )
  return `// Made by scripts/client-types.ts out of the OpenAPI document. Do not edit.\n\nexport type ErrorReply = ${typeText(ErrorBody as Schema, 0)}\n\nexport type Operations = {\n${operations.sort().join('\n')}\n}\n`
}

/** The document needs no database: nothing is asked while it is put together. */
async function openApi() {
  const config = readConfig({ LOG_LEVEL: 'silent' })
  const db = openDb({})
  const app = await buildApp(
    makeService({ config, db, signer: makeSigner('x'.repeat(32)), baseUrl: 'http://localhost' }),
  )
  const document = (await app.inject('/openapi.json')).json()
  await app.close()
  await db.close()
  return document
}

function operationText(
  name: string,
  { summary, parameters = [], requestBody, responses }: Operation,
): string {
  const body = requestBody?.content?.['application/json']?.schema
  const replies = Object.entries(responses).map(([status, reply]) => {
    const schema = reply.content?.['application/json']?.schema
    const type = Number(status) >= 400 ? 'ErrorReply' : schema ? typeText(schema, 3) : 'null'
    return `      ${status}: ${type}`
  })
  return [
    `  /** ${summary ?? name} */`,
    `  '${name}': {`,
    `    params: ${parametersText(parameters.filter(one => one.in === 'path'))}`,
    `    query: ${parametersText(parameters.filter(one => one.in === 'query'))}`,
    `    body: ${body ? typeText(body, 2) : 'undefined'}`,
    `    replies: {\n${replies.join('\n')}\n    }`,
    '  }',
  ].join('\n')
}

function parametersText(parameters: Parameter[]): string {
  const fields = parameters.map(({ name, required, schema }) => {
    const optional = !required || 'default' in schema
    return `${propertyName(name)}${optional ? '?' : ''}: ${typeText(schema, 2)}`
  })
  return fields.length > 0 ? `{ ${fields.join('; ')} }` : '{}'
}

function typeText(schema: Schema, depth: number): string {
  if (schema.$ref) return typeText(named[schema.$ref.split('/').at(-1)!]!, depth)
  if (schema.oneOf) return schema.oneOf.map(one => typeText(one, depth)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(value => quoted(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(one => typeText(one, depth)).join(' | ')
  const types = [schema.type ?? 'unknown'].flat()
  return types.map(type => plainText(type, schema, depth)).join(' | ')
}

function plainText(type: string, schema: Schema, depth: number): string {
  if (type === 'object') return objectText(schema, depth)
  if (type === 'array') return `Array<${typeText(schema.items ?? {}, depth)}>`
  return type === 'integer' ? 'number' : type
}

function objectText({ properties = {}, required = [], additionalProperties }: Schema, depth: number): string {
  const indent = '  '.repeat(depth + 1)
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${indent}${propertyName(name)}${required.includes(name) ? '' : '?'}: ${typeText(schema, depth + 1)}`,
  )
  const rest = typeof additionalProperties === 'object' ? typeText(additionalProperties, depth + 1) : null
  if (fields.length === 0) return rest ? `Record<string, ${rest}>` : 'Record<string, unknown>'
  const object = `{\n${fields.join('\n')}\n${'  '.repeat(depth)}}`
  return rest ? `${object} & Record<string, ${rest} | boolean>` : object
}

function propertyName(name: string) {
  return /^\w+$/.test(name) ? name : `'${name}'`
}

function quoted(value: unknown) {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}
