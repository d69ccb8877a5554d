import Type, { type Static, type TProperties, type TSchema } from 'typebox'

export const apiInfo = { version: '1' } as const

/** The object that most answers come in: api-info plus one entity key. */
export const Wrapped = <T extends TProperties>(properties: T) =>
  Type.Object({ 'api-info': Type.Object({ version: Type.Literal('1') }), ...properties })

export const wrap = <T extends object>(content: T) => ({ 'api-info': apiInfo, ...content })

export const ErrorBody = Type.Object(
  {
    'api-info': Type.Object({ version: Type.Literal('1') }),
    errors: Type.Array(
      Type.Object({
        errorCode: Type.String({ description: 'Stable text; see the list of error codes.' }),
        message: Type.String({ description: 'For people; may change.' }),
        field: Type.Optional(Type.String({ description: 'The offending input, where there is one.' })),
      }),
    ),
  },
  { title: 'Error' },
)

/** A schema whose value may be null, as one JSON Schema type list: shorter errors and documents than anyOf. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, ...rest } = schema as TSchema & { type?: string }
  return Type.Unsafe<Static<T> | null>(
    type ? { ...rest, type: [type, 'null'] } : { anyOf: [schema, { type: 'null' }] },
  )
}
