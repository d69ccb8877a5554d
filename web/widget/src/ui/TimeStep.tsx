import { useStepFocus, useUi } from './context.ts'
import { Lost } from './Lost.tsx'
import { Month } from './Month.tsx'
import { BookedBefore, SoFar } from './Moving.tsx'
import { Problem } from './Problem.tsx'
import { Resources } from './Resources.tsx'
import { Slots } from './Slots.tsx'
import { Zone } from './Zone.tsx'

/**
 * Days and times; on a phone the week of the selected day, its times right below, and the zone after them.
 */
export function Times() {
  const { state, texts, flow } = useUi()
  const heading = useStepFocus<HTMLHeadingElement>()
  return (
    <div class="main time" part="time">
      <div class="top">
        {state.products.length > 1 && (
          <button type="button" class="link back" onClick={flow.back}>
            {texts.back}
          </button>
        )}
        <h3 ref={heading} tabIndex={-1}>
          {texts.chooseTime}
        </h3>
        <Resources />
      </div>
      <SoFar />
      <BookedBefore />
      {state.notice?.kind === 'lost' && <Lost />}
      <Problem />
      <div class="picker">
        <Month />
        <Slots />
        <Zone />
      </div>
    </div>
  )
}
