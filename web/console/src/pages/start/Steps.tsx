import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useId, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { Page } from '../../ui/Page.tsx'
import './start.css'
import { texts } from './words.ts'

export const steps = ['business', 'service', 'team', 'hours', 'look', 'ready'] as const
export type StepName = (typeof steps)[number]

export const pathOf = (step: StepName) => `/start/${step}`
export const stepAfter = (step: StepName) => steps[steps.indexOf(step) + 1]!

type Props = {
  step: StepName
  /** The first step that is not finished: those before it can be opened again. */
  reached: StepName
  children: ComponentChildren
}

const StepContext = createContext<{ previous: string | null }>({ previous: null })
export const useStep = () => useContext(StepContext)

/** One question at a time, with the progress in view. */
export function Steps({ step, reached, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  const number = steps.indexOf(step)
  const isDone = (one: StepName) => steps.indexOf(one) < steps.indexOf(reached)
  useEffect(() => {
    // The other steps are forms, whose first field takes the focus.
    if (step === 'ready') heading.current?.focus()
    // The previous step may have been scrolled.
    scrollTo({ top: 0 })
  }, [step])
  return (
    <Page title={texts.title}>
      <div class="setup">
        <ol class="setup-steps" aria-label={texts.step(number + 1, steps.length)}>
          {steps.map((one, index) => (
            <li key={one} class={isDone(one) ? 'done' : ''} aria-current={one === step ? 'step' : undefined}>
              <span class="step-mark" aria-hidden="true">
                {isDone(one) && one !== step ? '✓' : index + 1}
              </span>
              {isDone(one) && one !== step ? (
                <Link href={pathOf(one)}>{texts.names[one]}</Link>
              ) : (
                <span class="step-name">{texts.names[one]}</span>
              )}
              {isDone(one) && <span class="visually-hidden">{texts.done}</span>}
            </li>
          ))}
        </ol>
        <section class="card step" aria-labelledby={id}>
          <div>
            <p class="soft">{texts.step(number + 1, steps.length)}</p>
            <h2 ref={heading} id={id} tabIndex={-1}>
              {texts.questions[step]}
            </h2>
            <p>{texts.explanations[step]}</p>
          </div>
          <StepContext.Provider value={{ previous: number > 0 ? pathOf(steps[number - 1]!) : null }}>
            {children}
          </StepContext.Provider>
        </section>
      </div>
    </Page>
  )
}
