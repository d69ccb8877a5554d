import type { JSX } from 'preact'
import type { Step } from '../state.ts'
import { addStyles } from '../style.ts'
import { kit } from './kit.ts'

let loaded: Partial<Record<Step, () => JSX.Element>> = {}

/** The steps after choosing a time, once they are loaded. */
export const laterSteps = () => loaded

/** With what else is needed only then. */
export async function loadSteps() {
  const steps = await import('./later/steps.ts')
  if (!loaded.form) {
    addStyles(steps.style)
    loaded = steps.makeSteps(kit)
  }
  return steps
}
