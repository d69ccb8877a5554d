import { useEffect, useRef } from 'preact/hooks'
import { watchUnsaved } from './unsaved.ts'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Seen = { first: string; last: string }

/** Compares a dialog's controls with the values they had when they were first focused. */
export function useChangedControls(dialog: { current: HTMLDialogElement | null }) {
  const seen = useRef(new Map<Control, Seen>())
  const note = (event: Event) => {
    const control = controlOf(event.target, dialog.current)
    if (!control) return
    const value = heldBy(control)
    const known = seen.current.get(control)
    if (known) known.last = value
    else seen.current.set(control, { first: event.type === 'focusin' ? value : '', last: value })
  }
  // A control that has left the page counts with its last value.
  const isChanged = () =>
    [...seen.current].some(
      ([control, { first, last }]) => (control.isConnected ? heldBy(control) : last) !== first,
    )
  const acting = useRef<HTMLFormElement | null>(null)
  const act = ({ target }: Event) => {
    acting.current = (target as Element).closest('form')
  }
  /** What "Arrived" has done does not save the notes below it. */
  const isSavedApart = ({ form }: Control) =>
    form !== null && form !== acting.current && form.querySelector('[type=submit]') !== null
  const settle = () => {
    const inside = [...seen.current].filter(([control]) => control.isConnected)
    const settled = ([control, held]: [Control, Seen]): [Control, Seen] => {
      const value = heldBy(control)
      return [control, isSavedApart(control) ? held : { first: value, last: value }]
    }
    seen.current = new Map(inside.map(settled))
    acting.current = null
  }
  useEffect(() => watchUnsaved({ isChanged, settle }), [])
  return { isChanged, events: { onFocusIn: note, onInput: note, onClick: act, onSubmit: act } }
}

/** Lists and boxes outside a form, and searches, only change what is shown. A nested dialog watches its own controls. */
function controlOf(target: EventTarget | null, dialog: HTMLDialogElement | null): Control | null {
  const control = target as Control
  if (!/^(INPUT|TEXTAREA|SELECT)$/.test(control.tagName) || control.closest('dialog') !== dialog) return null
  if ('readOnly' in control && control.readOnly) return null
  const isTyped = control.tagName === 'TEXTAREA' || !/^(select-one|checkbox|radio|search)$/.test(control.type)
  return isTyped || control.form ? control : null
}

const heldBy = (control: Control) =>
  control.type === 'checkbox' || control.type === 'radio'
    ? String((control as HTMLInputElement).checked)
    : control.value
