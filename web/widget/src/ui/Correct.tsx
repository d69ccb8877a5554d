import { useState } from 'preact/hooks'
import { useFocus, useUi } from './context.ts'
import { Field } from './Field.tsx'

/** A mistyped address can be put right for a while. */
export function Correct() {
  const { state, texts, flow } = useUi()
  const [isOpen, setOpen] = useState(false)
  const form = useFocus<HTMLFormElement>(isOpen)
  if (!isOpen)
    return (
      <button type="button" class="link" onClick={() => setOpen(true)}>
        {texts.wrongAddress}
      </button>
    )
  const onSubmit = (event: Event) => {
    event.preventDefault()
    void flow.correct()
  }
  return (
    <form
      class="notice"
      part="notice"
      noValidate
      onSubmit={onSubmit}
      ref={form}
      tabIndex={-1}
      aria-label={texts.wrongAddress}
    >
      <Field name="email" type="email" autocomplete="email" inputMode="email" />
      <button type="submit" class="quiet" aria-busy={state.busy === 'correct'}>
        {texts.sendAgain}
      </button>
    </form>
  )
}
