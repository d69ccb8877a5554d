import { useState } from 'preact/hooks'
import { Problem } from '../api.ts'
import { faultSentence } from '../faults.ts'
import { sayProblem } from './toasts.tsx'

/**
 * Runs a write: busy while it runs, the fault at its field, anything else as a sentence. What was typed stays. Answers
 * null when it failed.
 */
export function useSending() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function run<T>(work: () => Promise<T>): Promise<T | null> {
    if (busy) return null
    setBusy(true)
    setProblem(null)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      setProblem(error)
      if (!error.faults.some(one => one.field)) sayProblem(error)
      return null
    } finally {
      setBusy(false)
    }
  }

  const errorAt = (field: string) => {
    const fault = problem?.faults.find(one => one.field === field)
    return fault ? faultSentence(fault) : null
  }
  return { busy, problem, run, errorAt, clear: () => setProblem(null) }
}
