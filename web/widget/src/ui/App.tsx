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
  const { state, flow, texts } = useUi()
  const Step = steps[state.step]
  const withInfo = state.step !== 'loading' && state.step !== 'closed'
  const onKeyDown = (event: KeyboardEvent) => {
    // In an open list the key closes the list.
    if (event.key === 'Escape' && !(event.target instanceof HTMLSelectElement)) flow.back()
  }
  return (
    <section class="root" part="root" aria-label={texts.title} onKeyDown={onKeyDown}>
      <div class={withInfo ? `frame with-info at-${state.step}` : 'frame'} part="frame">
        {withInfo && <Info />}
        <Step />
      </div>
      <LiveRegion text={state.announcement} />
    </section>
  )
}

/** The element stays; only its text changes, which is what screen readers listen for. */
function LiveRegion({ text }: { text: string }) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (ref.current) ref.current.textContent = text
  }, [text])
  return <div ref={ref} class="unseen" role="status" aria-live="polite" />
}
