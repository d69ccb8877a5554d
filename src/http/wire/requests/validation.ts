import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import {
  combineRefusals,
  invalidField,
  missingField,
  type Refusal,
  type SchemaRule,
} from '../../../errors.ts'

type AjvError = FastifySchemaValidationError & {
  data?: unknown
  parentSchema?: { 'x-must'?: string; 'x-rule'?: SchemaRule; type?: string | string[]; enum?: unknown[] }
}

/** Turns validator errors into one sentence per invalid field. */
export function validationRefusal(error: FastifyError): Refusal {
  const problems = (error.validation as AjvError[]).filter(({ keyword }) => keyword !== 'if')
  const refusals = intendedErrors(problems).map(toRefusal)
  const seen = new Set<string | undefined>()
  // An empty text breaks several rules; one sentence is enough.
  const once = refusals.filter(({ field }) => !seen.has(field) && seen.add(field))
  return combineRefusals(once as [Refusal, ...Refusal[]])
}

/** Errors inside the list `itemsIn` belong to its entries, all others to the request. */
export function splitRefusals(
  error: FastifyError | undefined,
  itemsIn: string | undefined,
): { found: Refusal[]; refused: Map<number, Refusal> } {
  const problems = (error?.validation ?? []) as AjvError[]
  const entryOf = ({ instancePath }: AjvError) => {
    const [_first, list, index] = instancePath.split('/')
    return itemsIn !== undefined && list === itemsIn && index !== undefined ? Number(index) : null
  }
  const byEntry = Map.groupBy(problems, entryOf)
  const refusalOf = (validation: AjvError[]) => validationRefusal({ validation } as unknown as FastifyError)
  const refused = new Map<number, Refusal>()
  for (const [index, own] of byEntry)
    if (index !== null) {
      const within = own.map(one => ({
        ...one,
        instancePath: `/${one.instancePath.split('/').slice(3).join('/')}`.replace(/^\/$/, ''),
      }))
      refused.set(index, refusalOf(within))
    }
  const own = byEntry.get(null)
  return { found: own ? [refusalOf(own)] : [], refused }
}

function toRefusal(problem: AjvError): Refusal {
  const path = fieldPath(problem.instancePath)
  if (problem.keyword === 'required') {
    const name = String(problem.params.missingProperty)
    return missingField(path ? `${path}.${name}` : name)
  }
  if (problem.keyword === 'additionalProperties') return unknownField(path, problem)
  if (!path) return missingField('body', 'body:object')
  if (isAbsent(problem.data) && !isOptional(problem)) return missingField(path)
  return invalidField(path, ':schema', { must: reason(problem), ...brokenRule(problem) })
}

function unknownField(path: string, { params }: AjvError): Refusal {
  const name = String(params.additionalProperty)
  const field = path ? `${path}.${name}` : name
  return invalidField(field, 'unknown-field')
}

const alternatives = ['anyOf', 'oneOf']

/**
 * With alternatives (an address is text or an object), the validator reports an error for each of them and
 * for the choice. Errors deeper than the choice belong to the intended alternative.
 */
function intendedErrors(errors: AjvError[]): AjvError[] {
  const choices = errors.filter(error => alternatives.includes(error.keyword))
  const outermost = choices.filter(one => !choices.some(other => other !== one && isInside(one, other)))
  return outermost.reduce((left, choice) => {
    const inside = left.filter(error => isInside(error, choice) || error === choice)
    const deeper = inside.filter(
      error => depth(error) > depth(choice) && !alternatives.includes(error.keyword),
    )
    const kept = deeper.length > 0 ? deeper : [anyTypeOf(inside, choice)]
    return left.flatMap(error => (error === choice ? kept : inside.includes(error) ? [] : [error]))
  }, errors)
}

const isInside = (inner: AjvError, { instancePath, schemaPath }: AjvError) =>
  inner.instancePath === instancePath
    ? inner.schemaPath.length > schemaPath.length
    : inner.instancePath.startsWith(`${instancePath}/`)

const depth = ({ instancePath, keyword }: AjvError) =>
  instancePath.split('/').length + (keyword === 'required' || keyword === 'additionalProperties' ? 1 : 0)

/** One error that names all valid types; if the type was valid, its other error. */
function anyTypeOf(inside: AjvError[], choice: AjvError): AjvError {
  const own = inside.filter(error => !alternatives.includes(error.keyword))
  const other = own.find(error => error.keyword !== 'type')
  if (other) return other
  const types = own.flatMap(error => typesOf(error.params.type)).filter(type => type !== 'null')
  return types.length > 0 ? { ...choice, keyword: 'type', params: { type: [...new Set(types)] } } : choice
}

/** `/timeslots/0/start` is `timeslots[0].start`. */
function fieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')
}

/** A nullable field can be omitted: an empty text there is invalid, but not missing. */
const isOptional = ({ parentSchema }: AjvError) => [parentSchema?.type].flat().includes('null')

const isAbsent = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')

const limits: Record<string, SchemaRule> = {
  minimum: 'min',
  maximum: 'max',
  minLength: 'minLength',
  maxLength: 'maxLength',
  minItems: 'minItems',
  maxItems: 'maxItems',
}

function brokenRule({ keyword, params, parentSchema }: AjvError) {
  const named = parentSchema?.['x-rule']
  if (named && keyword !== 'maxLength') return { as: named }
  const rule = limits[keyword]
  if (rule) return { as: rule, limit: Number(params.limit) }
  if (keyword === 'type')
    return typesOf(params.type).includes('integer') ? { as: 'whole-number' as const } : {}
  return {}
}

function reason({ keyword, params, message, parentSchema, data }: AjvError): string {
  if (parentSchema?.enum) return `must be ${oneOf(parentSchema.enum, data)}`
  if (keyword === 'type') return `must be ${typeName(params.type)}`
  if (keyword === 'maxLength') return `must not be longer than ${params.limit} characters`
  if (keyword === 'minimum' || keyword === 'maximum')
    return `must be ${keyword === 'minimum' ? 'at least' : 'at most'} ${params.limit}`
  if (keyword === 'minItems')
    return `must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`
  if (keyword === 'maxItems') return `must not have more than ${params.limit} entries`
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`
  if (keyword === 'pattern' || keyword === 'format' || keyword === 'minLength')
    return parentSchema?.['x-must'] ? `must ${parentSchema['x-must']}` : 'is not valid'
  return message ?? 'is not valid'
}

/** Texts are quoted if the value sent is not a text: 1 is not "1". */
function oneOf(allowed: unknown[], data: unknown): string {
  const quoted = typeof data !== 'string'
  const names = allowed.filter(value => value !== null).map(value => (quoted ? JSON.stringify(value) : value))
  return `${quoted ? 'a text, ' : ''}one of ${names.join(', ')}`
}

const typesOf = (type: unknown): string[] => (Array.isArray(type) ? type : String(type).split(','))

function typeName(type: unknown): string {
  return typesOf(type)
    .filter((name, _index, all) => name !== 'null' || all.length === 1)
    .map(name => articles[name] ?? name)
    .join(' or ')
}

const articles: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}
