import { notFound, Refusal } from '../../errors.ts'

type Found = { position: number; rank: number; providerId: number }

/**
 * The one Resource (or Timeslot) that a ref refers to. If it can be read in several ways, the first match counts.
 */
export function resolveRef<T extends Found>(
  found: T[],
  ref: string,
  position: number,
  noun = 'Resource',
  field = 'ref',
): T {
  const mine = found.filter(one => one.position === position)
  const first = mine[0]
  if (!first) throw notFound(noun, ref, field)
  if (mine.some(one => one.rank === first.rank && one.providerId !== first.providerId)) {
    const form = `${noun.split(' ')[0]!.toLowerCase()}Id@providerUuid@platform`
    throw new Refusal('not-found', `Several Providers have a ${noun} ${ref}. Name the Provider: ${form}.`, {
      field,
    })
  }
  return first
}
