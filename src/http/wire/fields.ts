import Type, { type TSchema } from 'typebox'

export * from '../../entities/fields.ts'
export { isUuid } from '../../rules/references.ts'

export const ChangedSince = Type.Optional(
  Type.String({ description: 'Only records created or changed since this date-time.' }),
)

/** One of two kinds of body: the first if the field is present. Errors refer to the chosen kind. */
export const Either = <A extends TSchema, B extends TSchema>(field: string, given: A, otherwise: B) =>
  Type.Unsafe<Type.Static<A> | Type.Static<B>>({
    if: { required: [field], properties: { [field]: { not: { type: 'null' } } } },
    given: field,
    // biome-ignore lint/suspicious/noThenProperty: this is the JSON Schema keyword, and schemas are never awaited
    then: given,
    else: otherwise,
  })

/** Batches are written row by row in one transaction. */
export const maxBatchEntries = 1000
