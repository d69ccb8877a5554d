import { useState } from 'preact/hooks'
import { Problem } from '../api.ts'
import { useSending } from './use-sending.ts'

const isWarning = (error: unknown): error is Problem =>
  error instanceof Problem && (error.code === 'conflict' || error.code === 'capacity-exceeded')

/**
 * Warn, do not refuse: what the page knows is said before; what only the service knew becomes a warning, too, and pressing
 * once more does it anyway.
 */
export function useWarned(known: string[], sentence: (problem: Problem) => string) {
  const [late, setLate] = useState<string[]>([])
  const sending = useSending()
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
