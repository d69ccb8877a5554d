import { invalidField } from '../../errors.ts'
import { isUuid } from '../../rules/references.ts'

export const maxRefs = 200

/** Each name once, uuids in lower case: repetitions and spellings must not cost extra work. */
export function distinctRefs(field: string, refs: string[]): string[] {
  const distinct = [...new Set(refs.map(ref => (isUuid(ref) ? ref.toLowerCase() : ref)))]
  if (distinct.length > maxRefs)
    throw invalidField(field, `${field} names ${distinct.length} things. Ask for ${maxRefs} at a time.`, {
      rule: 'maxItems',
      limit: maxRefs,
    })
  return distinct
}
