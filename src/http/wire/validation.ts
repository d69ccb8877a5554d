import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import { invalidField, missingField, type Refusal } from '../../errors.ts'

type AjvError = FastifySchemaValidationError & {
  data?: unknown
  parentSchema?: { description?: string; type?: string | string[] }
}

/** Turns what the validator found into one sentence about one field. */
export function validationRefusal(error: FastifyError): Refusal {
  const problem = mostSpecific(error.validation as AjvError[])
  const path = fieldPath(problem.instancePath)
  if (problem.keyword === 'required') {
    const name = String(problem.params.missingProperty)
    return missingField(path ? `${path}.${name}` : name)
  }
  if (!path) return missingField('body', 'A JSON object is needed as the body.')
  if (isAbsent(problem.data) && !isOptional(problem)) return missingField(path)
  return invalidField(path, `${path} ${reason(problem)}.`)
}

// Where alternatives are allowed (an address is text or an object) the validator complains once for each of them;
// the complaint that lies deepest belongs to the alternative that was meant.
function mostSpecific(errors: AjvError[]): AjvError {
  const depth = (error: AjvError) =>
    error.instancePath.split('/').length +
    (error.keyword === 'required' ? 1 : 0) -
    (error.keyword === 'anyOf' ? 0.5 : 0)
  return errors.reduce((best, error) => (depth(error) > depth(best) ? error : best))
}

/** `/timeslots/0/start` is `timeslots[0].start`. */
function fieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')
}

/** What may be null may be left out: an empty text there is wrong, but not missing. */
const isOptional = ({ parentSchema }: AjvError) => [parentSchema?.type].flat().includes('null')

const isAbsent = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')

function reason({ keyword, params, message, parentSchema }: AjvError): string {
  if (keyword === 'type') return `must be ${typeName(params.type)}`
  if (keyword === 'maxLength') return `must not be longer than ${params.limit} characters`
  if (keyword === 'enum')
    return `must be one of ${(params.allowedValues as unknown[]).filter(v => v !== null).join(', ')}`
  if (keyword === 'const') return `must be ${params.allowedValue}`
  if (keyword === 'pattern' || keyword === 'format' || keyword === 'minLength')
    return parentSchema?.description
      ? `is not valid: ${parentSchema.description.replace(/\.$/, '')}`
      : 'is not valid'
  return message ?? 'is not valid'
}

function typeName(type: unknown): string {
  const names = (Array.isArray(type) ? type : String(type).split(',')).map(name => articles[name] ?? name)
  return names.join(' or ')
}

const articles: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}
