/** The value of a field after two Customers are merged: the kept one's, completed by the other's. */
export function mergeValue(kept: unknown, merged: unknown): unknown {
  if (kept === null || kept === undefined || kept === '') return merged ?? kept
  if (Array.isArray(kept)) return [...new Set([...kept, ...(Array.isArray(merged) ? merged : [])])]
  if (typeof kept !== 'object') return kept
  // Fields of the business's own, by key. An address is taken as a whole, because half of each is none.
  return 'street' in kept || 'city' in kept ? kept : { ...(merged as object | null), ...kept }
}

/** Both notes, one below the other. */
export function mergeNotes(kept: string | null, merged: string | null): string | null {
  const notes = [kept, merged].filter(note => note !== null && note !== '')
  return [...new Set(notes)].join('\n') || null
}
