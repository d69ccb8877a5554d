import { mapCollectingRefusals, repeatedReference } from '../../../errors.ts'

/** Refuses a batch in which one record would overwrite another. `name` and `field` say where the references are. */
export function refuseRepeats<T, K extends string & keyof T>(name: string, field: K, entries: readonly T[]) {
  const seen = new Set<unknown>()
  mapCollectingRefusals([...entries], (entry, index) => {
    const reference = entry[field]
    if (reference == null) return
    if (seen.has(reference)) throw repeatedReference(`${name}[${index}].${field}`, String(reference))
    seen.add(reference)
  })
}
