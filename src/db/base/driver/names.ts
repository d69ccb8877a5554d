// Converts between start_at in the database and startAt in the program: statements.ts for reads, json.ts for
// rows that are sent. Names inside JSON values stay as they are.

const names = new Map<string, string>()
const columns = new Map<string, string>()

export const nameOf = (column: string): string =>
  remembered(names, column, () => column.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase()))

export const columnOf = (name: string): string =>
  remembered(columns, name, () => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))

function remembered(known: Map<string, string>, key: string, make: () => string): string {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}
