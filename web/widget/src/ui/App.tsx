import { useLayoutEffect, useRef } from 'preact/hooks'
import { Closed } from './Closed.tsx'
import { useUi } from './context.ts'
import { Done } from './Done.tsx'
import { Form } from './Form.tsx'
import { Info } from './Info.tsx'
import { Products } from './Products.tsx'
import { Skeleton } from './Skeleton.tsx'
import { Times } from './TimeStep.tsx'

const steps = { loading: Skeleton, closed: Closed, product: Products, time: Times, form: Form, done: Done }

export function App() {
  const { state, flow, texts, language } = useUi()
  const Step = steps[state.step]
  const withInfo = state.step !== 'loading' && state.step !== 'closed'
  const onKeyDown = (event: KeyboardEvent) => {
    // Escape in an open select box only closes the box.
    if (event.key === 'Escape' && !(event.target instanceof HTMLSelectElement)) flow.back()
  }
  return (
    <section class="root" part="root" lang={language} aria-label={texts.title} onKeyDown={onKeyDown}>
      <div class={withInfo ? `frame with-info at-${state.step}` : 'frame'} part="frame">
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
  useLayoutEffect(() => {
    if (ref.current) ref.current.textContent = text
    if (!text) return
    const timer = setTimeout(forget, clearAnnouncementMs)
    return () => clearTimeout(timer)
  }, [text])
  return <div ref={ref} class="unseen" role="status" aria-live="polite" />
}
