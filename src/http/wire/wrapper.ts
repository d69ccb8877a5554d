import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { brokenRules, errorCodes } from '../../errors.ts'

export const apiInfo = { version: '1' } as const

const ApiInfo = Type.Object({ version: Type.Literal('1') }, { title: 'ApiInfo' })

/** The object that wraps most responses: api-info plus one entity key. */
export const Wrapped = <T extends TProperties>(properties: T) =>
  Type.Object({ 'api-info': ApiInfo, ...properties })

export const wrap = <T extends object>(content: T) => ({ 'api-info': apiInfo, ...content })

/** One of several texts. The type is stated so that it serialises as fast as any text. */
export const Choice = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

export const ErrorBody = Type.Object(
  {
    'api-info': ApiInfo,
    errors: Type.Array(
      Type.Object({
        errorCode: Choice(errorCodes, {
          title: 'ErrorCode',
          description: 'Stable; safe for programs to rely on.',
        }),
        message: Type.String({ description: 'For people; may change.' }),
        field: Type.Optional(Type.String({ description: 'The invalid input, if any.' })),
        rule: Type.Optional(
          Choice(brokenRules, { description: 'The rule that the input breaks, for messages of your own.' }),
        ),
        limit: Type.Optional(Type.Number({ description: 'The limit that the rule sets, if it has one.' })),
      }),
    ),
  },
  { title: 'Error' },
)

/** A nullable schema as one JSON Schema type list: gives shorter errors and documents than anyOf. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>(
    type
      ? { ...rest, type: [type, 'null'], ...(values ? { enum: [...values, null] } : {}) }
      : { anyOf: [schema, { type: 'null' }] },
  )
}
