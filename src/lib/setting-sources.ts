import { readFileSync } from 'node:fs'

type Env = Record<string, string | undefined>
type Known = { env: string; secret?: boolean }

/** The text of a setting: from the environment, or for a secret from the file that `<NAME>_FILE` names. */
export function textOf({ env: name, secret }: Known, env: Env): string | null {
  const direct = env[name]?.trim() || null
  const file = secret ? env[`${name}_FILE`]?.trim() : undefined
  if (!file) return direct
  if (direct) throw new Error(`${name} and ${name}_FILE are both set: keep one of them.`)
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (text) return text
  } catch (error) {
    throw new Error(`${name}_FILE is invalid: ${(error as Error).message}.`)
  }
  throw new Error(`${name}_FILE is invalid: ${file} is empty.`)
}

/** Names like ours that mean nothing to us: typos, mostly. Each with the setting that was probably meant. */
export function unknownSettings(env: Env, known: Known[]): string[] {
  const names = known.flatMap(one => (one.secret ? [one.env, `${one.env}_FILE`] : [one.env]))
  const strange = Object.keys(env).filter(name => /^[A-Z][A-Z0-9_]+$/.test(name) && !names.includes(name))
  return strange.flatMap(name => {
    const suggestion = nearest(name.replace(/^HOLDFAST_/, ''), names)
    const plain = name.endsWith('_FILE') && names.includes(name.slice(0, -5)) ? name.slice(0, -5) : null
    if (plain) return [`${name} is not a setting: ${plain} cannot come from a file.`]
    if (suggestion) return [`${name} is not a setting. Did you mean ${suggestion}?`]
    return name.startsWith('HOLDFAST_') ? [`${name} is not a setting. See holdfast config.`] : []
  })
}

/** Short names have too many neighbours: HOST is near to HOME, PORT to PORTS. */
const shortest = 6

function nearest(name: string, names: string[]): string | null {
  const close = names.filter(one => one.length >= shortest || one === name)
  return close.find(one => isWithin(name, one, one.length >= 8 ? 2 : 1)) ?? null
}

/** Most names differ too much in length, and comparing all of them letter by letter would delay every start. */
const isWithin = (name: string, other: string, letters: number) =>
  Math.abs(name.length - other.length) <= letters && distance(name, other) <= letters

/** How many letters have to be added, removed or replaced. */
function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...from].entries()) {
    const next = [row + 1]
    for (const [column, other] of [...to].entries())
      next.push(
        Math.min(next[column]! + 1, above[column + 1]! + 1, above[column]! + (letter === other ? 0 : 1)),
      )
    above = next
  }
  return above.at(-1)!
}
