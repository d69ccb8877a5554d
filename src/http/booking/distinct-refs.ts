import { invalidField } from '../../errors.ts'
import { isUuid } from '../../rules/references.ts'

export const maxRefs = 200

/** Each name once, uuids in lower case: repetitions and spellings must not cost extra work. */
export function distinctRefs(field: string, refs: string[]): string[] {
  const distinct = [...new Set(refs.map(ref => (isUuid(ref) ? ref.toLowerCase() : ref)))]
  if (distinct.length > maxRefs)
    throw invalidField(field, 'maxItems:names', { limit: maxRefs, count: distinct.length })
  return distinct
}

/**
 * Whose share of list building a request uses: heavy lists of one tenant must not slow down those of others.
 * Lists across tenants have a share of their own: otherwise a request could spend another tenant's share by
 * naming one of its Resources.
 */
export function tenantOf(wanted: { crmId: number }[]): string {
  const [first] = wanted
  return wanted.every(one => one.crmId === first?.crmId) ? `crm ${first?.crmId}` : 'several'
}
