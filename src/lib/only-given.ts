/** Without what is undefined: spread over something, it changes only what is there. */
export const onlyGiven = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
