import { Refusal, throwRefusals } from '../errors.ts'

/** Processes the entries of a batch one by one and collects all refusals, each with its index. */
export async function forEachEntry<T, R>(
  name: string,
  entries: T[],
  work: (entry: T) => Promise<R>,
): Promise<R[]> {
  const done: R[] = []
  const refused: Refusal[] = []
  for (const [index, entry] of entries.entries())
    try {
      done.push(await work(entry))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      for (const one of [error, ...error.others])
        one.field = [`${name}[${index}]`, one.field].filter(Boolean).join('.')
      refused.push(error)
    }
  throwRefusals(refused)
  return done
}
