/** Makes the function at its first call, when everything that it needs exists. */
export function later<Args extends unknown[], Result>(
  make: () => (...args: Args) => Result,
): (...args: Args) => Result {
  let made: ((...args: Args) => Result) | undefined
  return (...args) => {
    made ??= make()
    return made(...args)
  }
}
