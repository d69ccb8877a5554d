import Type, { type TProperties } from 'typebox'
import { Choice } from '../../entities/fields.ts'
import { errorCodes, errorRules } from '../../error-texts.ts'

export { Nullable } from '../../entities/fields.ts'

export const apiInfo = { version: '1' } as const

const ApiInfo = Type.Object(
  {
    version: Type.Literal('1'),
    ignored: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Query keys and body fields that this call does not know, the first 20. They are usually misspelt.',
      }),
    ),
  },
  { title: 'ApiInfo' },
)

/** The object that wraps most responses: api-info plus one entity key. */
export const Wrapped = <T extends TProperties>(properties: T) =>
  Type.Object({ 'api-info': ApiInfo, ...properties })

export const wrap = <T extends object>(content: T) => ({ 'api-info': apiInfo, ...content })

export const ErrorEntry = Type.Object({
  errorCode: Choice(errorCodes, {
    title: 'ErrorCode',
    description: 'Stable; safe for programs to rely on.',
  }),
  message: Type.String({ description: 'For people; may change.' }),
  field: Type.Optional(Type.String({ description: 'The invalid input, if any.' })),
  rule: Type.Optional(
    Choice(errorRules, { description: 'The rule that the input breaks, for messages of your own.' }),
  ),
  limit: Type.Optional(Type.Number({ description: 'The limit that the rule sets, if it has one.' })),
  reference: Type.Optional(
    Type.String({ description: 'Reference of the record to use instead, if there is one.' }),
  ),
})

export const ErrorBody = Type.Object(
  { 'api-info': ApiInfo, errors: Type.Array(ErrorEntry) },
  { title: 'Error' },
)
