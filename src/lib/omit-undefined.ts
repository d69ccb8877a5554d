/** Drops undefined values, so that spreading the result changes only given fields. */
export const omitUndefined = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
