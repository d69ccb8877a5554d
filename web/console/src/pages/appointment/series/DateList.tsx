import { dayAt } from '#shared/zones.ts'
import { common } from '../../../common-words.ts'
import { format, instant, timeRange } from '../../../time.ts'
import { Button } from '../../../ui/Button.tsx'
import { WishToggle } from '../WishSearch.tsx'
import { type DateChoices, isFound, type PlannedDate } from './date-choices.ts'
import { texts } from './words.ts'

type Props = {
  dates: PlannedDate[]
  choices: DateChoices
  zone: string
  /** Whether several Resources are in question. */
  showPlace: boolean
  /** Moving: a date that is left out stays where it is. */
  isMove?: boolean
  /** What a search for another time needs. */
  search: { productUuid: string; resources: { uuid: string; name: string }[] }
}

/** Each date with what is in its way, and what to do about it. */
export function DateList({ dates, choices, zone, showPlace, isMove = false, search }: Props) {
  const taken = dates.filter(one => !one.isFree).length
  return (
    <fieldset class="series-dates">
      <legend>{taken > 0 ? texts.someTaken(dates.length, taken) : texts.allFree(dates.length)}</legend>
      {choices.unresolved > 1 && (
        <div class="row">
          <Button kind="quiet" onClick={choices.removeUnresolved}>
            {isMove ? texts.leaveTaken(choices.unresolved) : texts.removeTaken(choices.unresolved)}
          </Button>
        </div>
      )}
      <ol>
        {dates.map(date => (
          <DateLine
            key={date.start}
            date={date}
            choices={choices}
            zone={zone}
            showPlace={showPlace}
            isMove={isMove}
            search={search}
          />
        ))}
      </ol>
    </fieldset>
  )
}

function DateLine(props: { date: PlannedDate } & Omit<Props, 'dates'>) {
  const { date, choices, zone, showPlace, isMove, search } = props
  const choice = choices.choiceOf(date)
  const isRemoved = choice === 'removed'
  const name = dateName(date, zone)
  const remove = isMove ? texts.leave : common.remove
  return (
    <li data-state={date.isFree || isRemoved ? 'settled' : choice === null ? 'open' : 'settled'}>
      <span class={isRemoved && !isMove ? 'off' : ''}>
        <span aria-hidden="true">{isRemoved ? '–' : date.isFree ? '✓' : '▲'}</span> {name}
        {showPlace && ` · ${date.resourceName}`}
        {date.joins && <span class="soft"> · {texts.joins}</span>}
        {isRemoved && <span class="soft"> · {isMove ? texts.left : texts.removed}</span>}
      </span>
      {isRemoved ? (
        <Button kind="quiet" label={`${texts.putBack}: ${name}`} onClick={() => choices.choose(date, null)}>
          {texts.putBack}
        </Button>
      ) : (
        <Button kind="quiet" label={`${remove}: ${name}`} onClick={() => choices.choose(date, 'removed')}>
          {remove}
        </Button>
      )}
      {!date.isFree && !isRemoved && (
        <div class="row instead">
          <span class="reason">{problemOf(date, zone)}</span>
          {date.nearest.length > 0 ? (
            <span class="soft">{texts.instead}</span>
          ) : (
            <span class="soft">{texts.noTimes}</span>
          )}
          {date.nearest.map((time, index) => (
            <Button
              key={`${time.start} ${time.resourceUuid}`}
              pressed={choice === index}
              onClick={() => choices.choose(date, choice === index ? null : index)}
            >
              {nearName(time, date, zone)}
              {showPlace && ` · ${time.resourceName}`}
            </Button>
          ))}
          <Button
            pressed={choice === 'anyway'}
            onClick={() => choices.choose(date, choice === 'anyway' ? null : 'anyway')}
          >
            {isMove ? texts.moveAnyway : texts.anyway}
          </Button>
          {isFound(choice) && (
            <Button pressed onClick={() => choices.choose(date, null)}>
              {format.shortDay(dayAt(choice.start, zone))}, {format.time(choice.start, zone)} ·{' '}
              {choice.resourceName}
            </Button>
          )}
          <WishToggle
            {...search}
            day={dayAt(instant(date.start), zone)}
            duration={Math.round((instant(date.end) - instant(date.start)) / 60_000)}
            chosen={isFound(choice) ? choice : null}
            onPick={time => choices.choose(date, time)}
          />
        </div>
      )}
    </li>
  )
}

export const dateName = ({ start, end }: { start: string; end: string }, zone: string) =>
  `${format.shortDay(dayAt(instant(start), zone))}, ${timeRange(start, end, zone)}`

/** Only the time if it is on the same day. */
function nearName(time: { start: string }, date: { start: string }, zone: string): string {
  const [day, other] = [dayAt(instant(time.start), zone), dayAt(instant(date.start), zone)]
  const clock = format.time(instant(time.start), zone)
  return day === other ? clock : `${format.shortDay(day)}, ${clock}`
}

function problemOf({ conflicts }: PlannedDate, zone: string): string {
  const [first] = conflicts
  if (!first) return ''
  const said = texts.problem[first.kind]
  if (typeof said === 'string') return said
  return said(first.what ?? '', first.start && first.end ? timeRange(first.start, first.end, zone) : '')
}
