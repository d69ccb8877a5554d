import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../api.ts'
import { fieldErrorText } from '../field-errors.ts'
import { showProblem } from './toasts.tsx'
import { settleDialog } from './unsaved.ts'

/**
 * Runs a write: busy meanwhile, errors at their fields, anything else as a message. Input stays. Returns null
 * on failure.
 */
export function useSubmit() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const asked = useRef(new Set<string>())

  async function run<T>(work: () => Promise<T>): Promise<T | null> {
    if (busy) return null
    setBusy(true)
    setProblem(null)
    try {
      const result = await work()
      if (result !== null) settleDialog()
      return result
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      setProblem(error)
      return null
    } finally {
      setBusy(false)
    }
  }

  // Only fields on the page can show their error. All others become a message, so that no failure is silent.
  useEffect(() => {
    if (!problem) return
    const unseen = problem.faults.filter(one => !one.field || !asked.current.has(one.field))
    if (unseen.length > 0 || problem.faults.length === 0)
      showProblem(new Problem(problem.status, unseen, problem.body))
  }, [problem])

  const errorAt = (field: string) => {
    asked.current.add(field)
    const fault = problem?.faults.find(one => one.field === field)
    return fault ? fieldErrorText(fault) : null
  }
  return { busy, problem, run, errorAt, clear: () => setProblem(null) }
}
