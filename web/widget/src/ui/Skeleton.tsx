import { useUi } from './context.ts'
import { Problem } from './Problem.tsx'
import { useEffect, useState } from './render.ts'

const slowAfter = 5000

/** A placeholder of the final size, so that nothing on the page moves when the content arrives. */
export function Skeleton() {
  const { state, texts, flow } = useUi()
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowAfter)
    return () => clearTimeout(timer)
  }, [])
  if (state.problem) return <Problem />
  return (
    <div class="skeleton" part="skeleton">
      <p class="unseen">{texts.loading}</p>
      <div class="bones info-bones" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      <div class="bones month-bones" aria-hidden="true">
        {Array.from({ length: 42 }, (_, index) => (
          <i key={index} />
        ))}
      </div>
      <div class="bones time-bones" aria-hidden="true">
        {Array.from({ length: 12 }, (_, index) => (
          <i key={index} />
        ))}
      </div>
      {slow && (
        <p class="slow" role="status">
          {texts.slow}{' '}
          <button type="button" class="link" onClick={() => void flow.start(null)}>
            {texts.tryAgain}
          </button>
        </p>
      )}
    </div>
  )
}
