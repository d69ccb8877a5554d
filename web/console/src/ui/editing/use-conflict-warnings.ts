import { useState } from 'preact/hooks'
import { Problem } from '../../api.ts'
import { useSubmit } from './use-submit.ts'

const isWarning = (error: unknown): error is Problem =>
  error instanceof Problem && (error.code === 'conflict' || error.code === 'capacity-exceeded')

/**
 * Warns instead of refusing: conflicts known to the page are shown first, those found by the service become
 * warnings too, and pressing again does it anyway.
 */
export function useConflictWarnings(known: string[], sentence: (problem: Problem) => string) {
  const [late, setLate] = useState<string[]>([])
  const sending = useSubmit()
  const warnings = [...known, ...late]

  async function run<T>(work: (ignoreConflicts: boolean) => Promise<T>): Promise<T | null> {
    return sending.run(async () => {
      try {
        return await work(warnings.length > 0)
      } catch (error) {
        if (!isWarning(error)) throw error
        setLate([sentence(error)])
        return null
      }
    })
  }

  return { ...sending, run, warnings, forget: () => setLate([]) }
}
