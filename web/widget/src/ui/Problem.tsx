import type { Texts } from '#shared/texts/index.ts'
import type { ProblemKind } from '../problems.ts'
import { Contact } from './Closed.tsx'
import { useFocus, useUi } from './context.ts'
import { MoveLink } from './Moving.tsx'
import { useEffect, useState } from './render.ts'

type Sentence = { [K in keyof Texts]: Texts[K] extends string ? K : never }[keyof Texts]

const sentences: Record<ProblemKind, Sentence> = {
  offline: 'offline',
  unreachable: 'unreachable',
  busy: 'tooMany',
  broken: 'serverError',
  unknown: 'notFound',
  taken: 'timeTaken',
  twice: 'alreadyBooked',
  hidden: 'bookingClosed',
  'not-invited': 'invitedOnly',
  invalid: 'serverError',
  late: 'tooLate',
  changed: 'rescheduled',
}

/** What went wrong, in a sentence, and the next step. */
export function Problem() {
  const { state, texts, format, flow } = useUi()
  const problem = state.problem
  const left = useWait(problem?.kind === 'busy' ? problem.waitSeconds : 0, problem)
  const ref = useFocus<HTMLDivElement>(problem)
  if (!problem) return null
  const isFinal = ['twice', 'not-invited', 'late'].includes(problem.kind)
  return (
    <div class="notice bad" part="notice" role="alert" tabIndex={-1} ref={ref}>
      <p>
        {texts[sentences[problem.kind]]}
        {problem.kind === 'twice' && state.slot && (
          <strong> {format.when(state.slot.start, state.zone)}</strong>
        )}
      </p>
      {problem.kind === 'late' && <Contact />}
      {problem.kind === 'twice' && <WayToIt />}
      {problem.kind === 'twice' && (
        <button type="button" class="quiet" onClick={flow.back}>
          {texts.allTimes}
        </button>
      )}
      {!isFinal && (
        <button type="button" class="quiet" disabled={left > 0} onClick={() => flow.tryAgain()}>
          {left > 0 ? texts.tryAgainIn(left) : texts.tryAgain}
        </button>
      )}
    </div>
  )
}

/**
 * A visitor who already has this appointment can reschedule it: with the link at hand, or with one that is
 * sent by email.
 */
function WayToIt() {
  const { state, texts, flow } = useUi()
  if (state.booked && state.booked.start === state.slot?.start) return <MoveLink />
  if (state.kept) return null
  if (state.linksTo) return <p>{texts.linksSent(state.linksTo)}</p>
  return (
    <button
      type="button"
      class="quiet"
      aria-busy={state.busy === 'links'}
      onClick={() => void flow.sendLinks()}
    >
      {texts.sendLinks}
    </button>
  )
}

/** Counts down once a second; restarts with each problem. */
function useWait(seconds: number, problem: unknown): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    setLeft(seconds)
    if (seconds === 0) return
    const timer = setInterval(() => setLeft(value => Math.max(0, value - 1)), 1000)
    return () => clearInterval(timer)
  }, [problem])
  return left
}
