import { useFocus, useUi } from './context.ts'

/** The time was taken: says so in place, and offers the nearest others. */
export function Lost() {
  const { state, texts, format, flow } = useUi()
  const ref = useFocus<HTMLDivElement>()
  const notice = state.notice
  if (notice?.kind !== 'lost') return null
  const isForm = state.step === 'form'
  return (
    <section class="notice bad" part="notice lost" aria-label={texts.timeTaken} tabIndex={-1} ref={ref}>
      <p>
        <strong>{texts.timeTaken}</strong>
      </p>
      {notice.nearest && notice.nearest.length > 0 && (
        <>
          <p>{isForm ? texts.nearestHint : texts.nearestTimes}</p>
          <ul class="nearest">
            {notice.nearest.map(slot => (
              <li key={slot.start}>
                <button type="button" class="slot" part="slot" onClick={() => void flow.chooseSlot(slot)}>
                  {format.when(slot.start, state.zone)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {notice.nearest?.length === 0 && <p>{texts.noOtherTimes}</p>}
      {isForm && (
        <button type="button" class="link" onClick={flow.back}>
          {texts.allTimes}
        </button>
      )}
    </section>
  )
}
