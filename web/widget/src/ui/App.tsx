import { Closed } from './Closed.tsx'
import { useUi } from './context.ts'
import { Info } from './Info.tsx'
import { laterSteps } from './load-steps.ts'
import { Products } from './Products.tsx'
import { useEffect, useRef } from './render.ts'
import { Skeleton } from './Skeleton.tsx'
import { Times } from './TimeStep.tsx'

const steps = { loading: Skeleton, closed: Closed, product: Products, time: Times }

export function App() {
  const { state, flow, texts, language } = useUi()
  const Step = { ...steps, ...laterSteps() }[state.step]!
  const last = useRef(state.step)
  const isMoved = useRef(false)
  const frame = useRef<HTMLDivElement>(null)
  // The first screen appears at once; only steps from one to the next fade.
  if (state.step !== 'loading') {
    isMoved.current ||= last.current !== 'loading' && last.current !== state.step
    // A confirmation shorter than its form would pull up what stands below the widget.
    if (last.current !== state.step)
      frame.current!.style.minHeight = state.step === 'done' ? `${frame.current!.offsetHeight}px` : ''
    last.current = state.step
  }
  const withInfo = state.step !== 'loading' && state.step !== 'closed'
  const onKeyDown = (event: KeyboardEvent) => {
    // Escape in an open list only closes the list.
    if (event.key === 'Escape' && !(event.target as Element).matches('select, [list]')) flow.back()
  }
  return (
    <section class="root" part="root" lang={language} aria-label={texts.title} onKeyDown={onKeyDown}>
      <div
        ref={frame}
        class={withInfo ? `frame with-info at-${state.step}${isMoved.current ? ' moved' : ''}` : 'frame'}
        part="frame"
      >
        {withInfo && <Info />}
        <Step />
      </div>
      <LiveRegion text={state.announcement} forget={() => flow.say('')} />
    </section>
  )
}

/** Long enough to be read out; afterwards it is removed, so that arrow keys do not reach it. */
const clearAnnouncementMs = 5000

/** The element stays and only its text changes, which is what screen readers announce. */
function LiveRegion({ text, forget }: { text: string; forget(): void }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (ref.current) ref.current.textContent = text
    if (!text) return
    const timer = setTimeout(forget, clearAnnouncementMs)
    return () => clearTimeout(timer)
  }, [text])
  return <div ref={ref} class="unseen" role="status" aria-live="polite" />
}
