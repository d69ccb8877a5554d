import { Field } from './Field.tsx'
import { onEscape, useFocus, useReturn, useState, useUi } from './kit.ts'

/** A mistyped address can be corrected for a while. */
export function Correct() {
  const { state, texts, flow } = useUi()
  const [isOpen, setOpen] = useState(false)
  const form = useFocus<HTMLFormElement>(isOpen)
  const opener = useReturn<HTMLButtonElement>(isOpen)
  if (!isOpen)
    return (
      <button type="button" class="link" ref={opener} onClick={() => setOpen(true)}>
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
      onKeyDown={onEscape(() => setOpen(false))}
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
