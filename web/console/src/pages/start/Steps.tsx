import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { Page } from '../../ui/Page.tsx'
import './start.css'
import { texts } from './words.ts'

export const steps = ['business', 'service', 'team', 'hours', 'look', 'ready'] as const
export type StepName = (typeof steps)[number]

type Props = {
  step: StepName
  /** Where a finished step can be changed. */
  places?: Partial<Record<StepName, string>>
  children: ComponentChildren
}

/** One question at a time, with the progress in view. */
export function Steps({ step, places = {}, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const number = steps.indexOf(step)
  useEffect(() => {
    if (number === 0) return
    heading.current?.focus()
    // The previous step may have been scrolled.
    scrollTo({ top: 0 })
  }, [number])
  return (
    <Page title={texts.title}>
      <div class="setup">
        <ol class="setup-steps" aria-label={texts.step(number + 1, steps.length)}>
          {steps.map((one, index) => (
            <li
              key={one}
              class={index < number ? 'done' : ''}
              aria-current={one === step ? 'step' : undefined}
            >
              <span class="step-mark" aria-hidden="true">
                {index < number ? '✓' : index + 1}
              </span>
              {index < number && places[one] ? (
                <Link href={places[one]}>{texts.names[one]}</Link>
              ) : (
                <span class="step-name">{texts.names[one]}</span>
              )}
              {index < number && <span class="visually-hidden">{texts.done}</span>}
            </li>
          ))}
        </ol>
        <section class="card stack step">
          <div>
            <p class="soft">{texts.step(number + 1, steps.length)}</p>
            <h2 ref={heading} tabIndex={-1}>
              {texts.questions[step]}
            </h2>
            <p>{texts.explanations[step]}</p>
          </div>
          {children}
        </section>
      </div>
    </Page>
  )
}
