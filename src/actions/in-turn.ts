import { allAtOnce, Refusal } from '../errors.ts'

/** The work for each entry of a batch, one after the other; what is refused is told of all of them, each with its index. */
export async function inTurn<T, R>(name: string, entries: T[], work: (entry: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  const refused: Refusal[] = []
  for (const [index, entry] of entries.entries())
    try {
      done.push(await work(entry))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push(at(`${name}[${index}]`, error))
    }
  if (refused.length > 0) throw allAtOnce(refused as [Refusal, ...Refusal[]])
  return done
}

const at = (place: string, { code, message, field }: Refusal) =>
  new Refusal(code, message, { field: field ? `${place}.${field}` : place })
