import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { common } from '../../common-words.ts'
import { Button } from '../../ui/Button.tsx'
import { useStep } from './Steps.tsx'
import { texts } from './words.ts'

type Props = {
  onSubmit: () => unknown
  busy?: boolean
  children: ComponentChildren
}

/** The form of a step: its first field has the focus, and Enter continues. */
export function StepForm({ onSubmit, busy = false, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const first = form.current!.querySelector<HTMLElement>(firstField)
    first?.focus({ preventScroll: true })
  }, [])
  return (
    <form
      ref={form}
      class="step-form"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    >
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
