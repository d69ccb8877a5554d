import { createContext } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import type { Format } from '#shared/format.ts'
import type { Texts } from '#shared/texts/index.ts'
import type { Flow } from '../flow.ts'
import type { State } from '../state.ts'

export type Ui = {
  state: State
  flow: Flow
  texts: Texts
  format: Format
  firstWeekday: number
  language: string
  /** Begins again in another language. */
  speak(language: string): void
  /** Begins again with another time for a booking; without a link, with a booking of its own. */
  move(link: string | null): void
}

export const UiContext = createContext<Ui>(null as unknown as Ui)
export const useUi = () => useContext(UiContext)

// At once and not after the next paint: a key that is pressed right away must land where the focus went.

/** Moves the focus to the element once it is there, so that the next thing is read out and the Tab key goes on there. */
export function useFocus<T extends HTMLElement>(when: unknown = true) {
  const ref = useRef<T>(null)
  useLayoutEffect(() => {
    if (when) ref.current?.focus({ preventScroll: false })
  }, [when])
  return ref
}

const begun = new WeakSet<Flow>()

/** For the heading of a step: the first one leaves the focus where the page had it, each later one takes it. */
export function useStepFocus<T extends HTMLElement>(again: unknown = null) {
  const { flow } = useUi()
  const ref = useRef<T>(null)
  useLayoutEffect(() => {
    if (begun.has(flow)) ref.current?.focus()
    begun.add(flow)
  }, [again])
  return ref
}
