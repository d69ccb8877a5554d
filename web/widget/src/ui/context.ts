import type { Format } from '#shared/format.ts'
import type { Texts } from '#shared/texts/index.ts'
import type { Flow } from '../flow.ts'
import type { State } from '../state.ts'
import { useEffect, useRef, useShared } from './render.ts'

export type Ui = {
  state: State
  flow: Flow
  texts: Texts
  format: Format
  firstWeekday: number
  language: string
  /** Restarts in another language. */
  speak(language: string): void
  /** Restarts to move a booking; without a link, to make a new one. */
  move(link: string | null): void
}

export const useUi = useShared<Ui>

/** Focuses the element once it is there, so that it is announced and Tab continues from it. */
export function useFocus<T extends HTMLElement>(when: unknown = true) {
  const ref = useRef<T>(null)
  useEffect(() => {
    if (when) ref.current?.focus()
  }, [when])
  return ref
}

/** For disclosures: when one closes, the focus returns to what opened it. */
export function useReturn<T extends HTMLElement>(isOpen: boolean) {
  const ref = useRef<T>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) ref.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return ref
}

/** Escape closes a confirmation, and does nothing else. */
export const onEscape = (close: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape') return
  event.stopPropagation()
  close()
}

/** Flows whose next heading takes the focus. */
export const begun = new WeakSet<Flow>()

/** For the heading of a step: the first step leaves the focus where the page had it, later ones take it. */
export function useStepFocus<T extends HTMLElement>(again: unknown = null) {
  const { flow } = useUi()
  const ref = useRef<T>(null)
  useEffect(() => {
    if (begun.has(flow)) ref.current?.focus()
    begun.add(flow)
  }, [again])
  return ref
}
