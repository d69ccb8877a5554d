import { Problem } from '../../api.ts'

/** A slug that was only proposed gets a number if another business has it; one that was typed stays. */
export async function withFreeSlug<T>(
  slug: string,
  isProposed: boolean,
  save: (slug: string) => Promise<T>,
): Promise<T> {
  for (let number = 1; ; number++)
    try {
      return await save(number === 1 ? slug : `${slug.slice(0, 57)}-${number}`)
    } catch (error) {
      const isTaken = error instanceof Problem && error.code === 'address-taken'
      if (!isTaken || !isProposed || number === 9) throw error
    }
}
