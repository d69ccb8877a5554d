import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../../api.ts'
import { fieldErrorText } from '../../field-errors.ts'
import { showProblem } from '../toasts.tsx'
import { settleDialog } from './unsaved.ts'

/** Leads to the first field to correct, in the form that was submitted. */
function focusFirstInvalid() {
  const form = document.activeElement?.closest('form, dialog, main') ?? document
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

/**
 * Runs a write: busy while it runs, errors next to their fields, anything else as a message. Input stays. Returns null
 * on failure.
 */
export function useSubmit() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const confirmed = useRef(new Set<string>())

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

  // Only fields on the page can show their error. If none can, it becomes a message, so that no failure is
  // silent.
  useEffect(() => {
    if (!problem) return
    const isSeen = problem.faults.some(one => one.field && confirmed.current.has(one.field))
    if (isSeen) focusFirstInvalid()
    else showProblem(problem)
  }, [problem])

  const errorAt = (field: string) => {
    confirmed.current.add(field)
    const fault = problem?.faults.find(one => one.field === field)
    return fault ? fieldErrorText(fault) : null
  }
  return { busy, problem, run, errorAt, clear: () => setProblem(null) }
}
