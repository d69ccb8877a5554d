type ErrorAt = (field: string) => string | null

/** Connects fields with the values of a record that have the same names. */
export function binder<T extends object>(record: T, change: (part: Partial<T>) => void, errorAt: ErrorAt) {
  const bind = <V, S>(name: keyof T & string, value: V, stored: (value: V) => S) => ({
    value,
    onInput: (value: V) => change({ [name]: stored(value) } as Partial<T>),
    error: errorAt(name),
  })
  return {
    value: <K extends keyof T & string>(name: K) => bind(name, record[name], value => value),
    /** A text that is null when it is empty. */
    text: (name: { [K in keyof T]: null extends T[K] ? K : never }[keyof T] & string) =>
      bind(name, (record[name] ?? '') as string, text => text || null),
  }
}
