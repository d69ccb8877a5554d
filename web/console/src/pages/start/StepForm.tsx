import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { common } from '../../common-words.ts'
import { Button } from '../../ui/Button.tsx'
import { useStep } from './Steps.tsx'
import { texts } from './words.ts'

type Props = {
  onSubmit: () => unknown
  children: ComponentChildren
}

/** The form of a step: its first field has the focus, and Enter continues, once until all that follows is done. */
export function StepForm({ onSubmit, children }: Props) {
  const [busy, setBusy] = useState(false)
  // Two presses may come before the next render.
  const isRunning = useRef(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    try {
      await onSubmit()
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const first = form.current!.querySelector<HTMLElement>(firstField)
    first?.focus({ preventScroll: true })
  }, [])
  return (
    <form ref={form} class="step-form" noValidate onSubmit={submit}>
      <div class="stack step-fields">{children}</div>
      <StepButtons>
        <Button kind="main" type="submit" busy={busy}>
          {texts.continue}
        </Button>
      </StepButtons>
    </form>
  )
}

/** A button that fills in the whole step comes before its fields. */
const firstField = '.step-fields :is(input:not([hidden]), select, textarea, .step-first button)'

/** In the same place at each step. */
export function StepButtons({ children }: { children: ComponentChildren }) {
  const { previous } = useStep()
  return (
    <div class="step-buttons">
      {previous && (
        <Link class="button" href={previous}>
          {common.back}
        </Link>
      )}
      {children}
    </div>
  )
}
