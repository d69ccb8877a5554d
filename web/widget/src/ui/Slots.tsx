import { addDays } from '#shared/dates.ts'
import { freeCount, isTwin, partsOfDay, type Slot } from '#shared/slots.ts'
import { dayAt, startOfDay } from '#shared/zones.ts'
import { isCovered } from '../spans.ts'
import { daysOf, monthSpan, onward, type State, shownPlace } from '../state.ts'
import { nothingOn } from '../why-closed.ts'
import { useUi } from './context.ts'
import { useEffect, useRef, useState } from './render.ts'

/** The times of the selected day, or a way to the next ones. */
export function Slots() {
  const { state, format, texts, language } = useUi()
  const slots = (state.day && daysOf(state).get(state.day)) || []
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (box.current) box.current.scrollTop = 0
  }, [state.day])
  const waitingList = shownPlace(state)?.channel.waitingList
  const hasFree = freeCount(slots) > 0
  return (
    <div class="slots" part="times" ref={box} aria-busy={state.refreshing}>
      {state.day && <h4 tabIndex={-1}>{format.day(state.day)}</h4>}
      {slots[0] && <ZoneNow at={slots[0].start} />}
      {slots[0] &&
        partsOfDay(slots, state.zone).map(([part, list]) => (
          <section key={part} aria-label={texts[part]}>
            <h5>{texts[part]}</h5>
            <ul class="times">
              {list.map(slot => (
                <li key={`${slot.start} ${slot.resource}`}>
                  <TimeButton slot={slot} isTwin={isTwin(slot, list)} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      {!hasFree && isKnown(state) && <NoTimes />}
      {waitingList && !state.moving && (
        <p>
          <a
            part="waiting-list"
            href={`${waitingList}?product=${state.product}&lang=${language}`}
            // Another site stays open.
            target={waitingList.startsWith(location.origin) ? '' : '_blank'}
          >
            {texts.joinWaitingList}
          </a>
        </p>
      )}
    </div>
  )
}

/** Which clock the times are by, and what it shows now: the same check as a look at the wall. */
function ZoneNow({ at }: { at: number }) {
  const { state, texts, format, flow } = useUi()
  const [_first, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick(count => count + 1), 15_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <p class="here soft" part="zone-now">
      {texts.zoneNow(format.zoneName(state.zone, at), format.time(flow.now(), state.zone))}
    </p>
  )
}

/** Until the times have loaded, the widget must not claim that there are none. */
function isKnown(state: State): boolean {
  const { day, zone, covered } = state
  const span = day ? { from: startOfDay(day, zone), to: startOfDay(addDays(day, 1), zone) } : monthSpan(state)
  return isCovered(covered, span)
}

function TimeButton({ slot, isTwin }: { slot: Slot; isTwin: boolean }) {
  const { state, texts, format, flow } = useUi()
  const isFull = slot.seatsLeft === 0
  const isWaiting = state.busy === 'hold' && state.slot === slot
  return (
    <button
      type="button"
      class={isWaiting ? 'slot waiting' : 'slot'}
      part="slot"
      disabled={isFull}
      aria-busy={isWaiting || undefined}
      onClick={() => void flow.chooseSlot(slot)}
    >
      <bdi>{format.time(slot.start, state.zone)}</bdi>
      {isTwin && (
        <small>{state.places.find(one => one.resource.uuid === slot.resource)?.resource.name}</small>
      )}
      {(isFull || slot.seats > 1) && (
        <small>{isFull ? texts.full : texts.seatsLeft(slot.seatsLeft, slot.seats)}</small>
      )}
    </button>
  )
}

function NoTimes() {
  const { state, texts, format, flow } = useUi()
  const from = state.day ? startOfDay(addDays(state.day, 1), state.zone) : monthSpan(state).to
  const next = onward(state, from, flow.now())
  const day = next && dayAt(next.start, state.zone)
  return (
    <div class="none">
      <p>{nothingOn(state, texts, format, flow.now())}</p>
      {day && (
        <button type="button" class="quiet" part="next-times" onClick={() => flow.chooseDay(day)}>
          {next.start < from ? texts.earlierTimes(format.day(day)) : texts.nextTimes(format.day(day))}
        </button>
      )}
    </div>
  )
}
