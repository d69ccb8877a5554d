/** Drops undefined values, so that spreading the result changes only given fields. */
export const omitUndefined = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([_key, value]) => value !== undefined)) as Partial<T>

/** Like Promise.all, with names instead of positions: for statements that share a round trip. */
export async function allNamed<T extends Record<string, unknown>>(
  work: T,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.all(Object.values(work))
  return Object.fromEntries(Object.keys(work).map((name, index) => [name, results[index]])) as {
    [K in keyof T]: Awaited<T[K]>
  }
}
