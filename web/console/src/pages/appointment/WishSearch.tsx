import { useState } from 'preact/hooks'
import { addDays } from '#shared/dates.ts'
import { common } from '../../common-words.ts'
import { useProvider } from '../../session.ts'
import { format, instant } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckField, SelectField, TextField } from '../../ui/fields/Field.tsx'
import { Weekdays } from '../../ui/fields/Weekdays.tsx'
import { withEllipsis } from '../../words.ts'
import { reasons } from '../calendar/words.ts'
import { type FreeTime, type Span, useFreeTimes } from './free-times.ts'
import { texts } from './wish-words.ts'

/** A time that was found, and where. */
export type WishedTime = Span & { resourceUuid: string; resourceName: string }

type Chosen = Pick<WishedTime, 'start' | 'resourceUuid'>

/** What to look for at first. */
type Wish = { weekdays: number[]; timeFrom: string; timeTo: string }

type Props = {
  productUuid: string
  resources: { uuid: string; name: string }[]
  /** Empty for anyone. */
  resourceUuid?: string
  /** The first day to search, and the last. */
  day: string
  until?: string
  /** In minutes; without it, that of the Product. */
  duration?: number | null
  /** The Appointment being moved. */
  movingUuid?: string
  wish?: Wish
  chosen?: Chosen | null
  onPick: (time: WishedTime) => void
}

/** A button that opens the search. */
export function WishToggle(props: Props) {
  const [isOpen, open] = useState(false)
  return (
    <div class="stack wish">
      <Button kind="quiet" pressed={isOpen} onClick={() => open(!isOpen)}>
        {isOpen ? texts.hide : withEllipsis(texts.find)}
      </Button>
      {isOpen && <WishSearch {...props} />}
    </div>
  )
}

const daysAtOnce = 5
/** With the button for the others they fill a line. */
const timesPerGroup = 5
/** As many as the service returns. */
const allTimes = 100
const anyTime: Wish = { weekdays: [], timeFrom: '', timeTo: '' }

/** One search for booking, moving, series and the waiting list: "Tuesdays or Thursdays after 17:00". */
export function WishSearch(props: Props) {
  const { productUuid, resources, day, until, duration, movingUuid, wish = anyTime, onPick } = props
  const { uuid } = useProvider()
  const [draft, setDraft] = useState({
    ...wish,
    from: day,
    minutes: duration ? String(duration) : '',
    resourceUuid: props.resourceUuid ?? '',
    includeClosed: false,
  })
  /** The first day on the page of results. */
  const [page, setPage] = useState<string | null>(null)
  const [isAll, showAll] = useState(false)
  const change = (part: Partial<typeof draft>) => {
    setDraft({ ...draft, ...part })
    setPage(null)
  }
  const [minutes, from] = [Number(draft.minutes), page ?? (draft.from || day)]
  const found = useFreeTimes(uuid, {
    productUuid,
    from,
    nextDays: daysAtOnce,
    perGroup: isAll ? allTimes : timesPerGroup,
    ...(until && until >= from ? { until } : {}),
    ...(draft.resourceUuid
      ? { resourceUuid: draft.resourceUuid }
      : { resourceUuids: resources.map(one => one.uuid).slice(0, 100) }),
    ...(movingUuid ? { appointmentUuid: movingUuid } : {}),
    ...(minutes >= 1 ? { duration: Math.round(minutes) } : {}),
    ...(draft.weekdays.length > 0 ? { weekdays: draft.weekdays.map(String) } : {}),
    ...(draft.timeFrom ? { timeFrom: draft.timeFrom } : {}),
    ...(draft.timeTo && draft.timeTo > draft.timeFrom ? { timeTo: draft.timeTo } : {}),
    ...(draft.includeClosed ? { includeClosed: true } : {}),
  })
  const groups = found.data?.groups ?? []
  const days = [...new Set(groups.map(one => one.date))]
  return (
    <section class="card stack wish-search" aria-label={texts.find}>
      {resources.length > 1 && (
        <SelectField
          label={common.with}
          value={draft.resourceUuid}
          options={[
            { value: '', label: common.anyone },
            ...resources.map(one => ({ value: one.uuid, label: one.name })),
          ]}
          onChange={resourceUuid => change({ resourceUuid })}
        />
      )}
      <Weekdays
        legend={texts.weekdays}
        any={texts.anyDay}
        chosen={draft.weekdays}
        onChange={weekdays => change({ weekdays })}
      />
      <div class="when-fields">
        <TextField
          label={texts.from}
          type="date"
          value={draft.from}
          onInput={value => change({ from: value })}
        />
        <TextField
          label={texts.timeFrom}
          type="time"
          value={draft.timeFrom}
          onInput={timeFrom => change({ timeFrom })}
        />
        <TextField
          label={texts.timeTo}
          type="time"
          value={draft.timeTo}
          onInput={timeTo => change({ timeTo })}
        />
        {!movingUuid && (
          <TextField
            label={texts.duration}
            type="number"
            min={1}
            max={1440}
            value={draft.minutes}
            onInput={value => change({ minutes: value })}
          />
        )}
      </div>
      <CheckField
        label={texts.includeClosed}
        checked={draft.includeClosed}
        onChange={includeClosed => change({ includeClosed })}
      />
      <fieldset class="stack results" aria-busy={!found.data}>
        <legend>{texts.results}</legend>
        {days.map(date => (
          <div key={date}>
            <h3>{format.shortDay(date)}</h3>
            {groups
              .filter(one => one.date === date)
              .map(group => (
                <Group
                  key={group.resource.uuid}
                  {...group}
                  chosen={props.chosen ?? null}
                  onPick={onPick}
                  onAll={() => showAll(true)}
                />
              ))}
          </div>
        ))}
        {found.data && days.length === 0 && <p class="soft">{texts.none}</p>}
      </fieldset>
      <div class="row">
        {page && (
          <Button kind="quiet" onClick={() => setPage(null)}>
            ‹ {texts.back}
          </Button>
        )}
        {days.length === daysAtOnce && (
          <Button kind="quiet" onClick={() => setPage(addDays(days.at(-1)!, 1))}>
            {texts.more} ›
          </Button>
        )}
      </div>
    </section>
  )
}

type GroupProps = {
  date: string
  resource: { uuid: string; name: string }
  count: number
  times: FreeTime[]
  chosen: Chosen | null
  onPick: (time: WishedTime) => void
  onAll: () => void
}

/** The times of one person on one day; those that customers do not see come last, with the reason. */
function Group({ date, resource, count, times, chosen, onPick, onAll }: GroupProps) {
  const kinds = [...new Set(times.map(one => one.notPublic))]
  return (
    <div class="free-times">
      {kinds.map(kind => (
        <div key={kind} class="row">
          <span>
            {resource.name}
            {kind !== null && (
              <span class="soft">
                {' '}
                · {texts.staffOnly} {reasons[kind] ?? kind}
              </span>
            )}
          </span>
          {times
            .filter(one => one.notPublic === kind)
            .map(one => (
              <TimeButton
                key={one.start}
                time={one}
                day={date}
                isChosen={instant(one.start) === chosen?.start && resource.uuid === chosen.resourceUuid}
                onPick={onPick}
              />
            ))}
          {kind === kinds.at(-1) && count > times.length && (
            <Button
              kind="quiet"
              label={`${texts.others(count - times.length)}: ${resource.name}`}
              onClick={onAll}
            >
              {texts.others(count - times.length)}
            </Button>
          )}
        </div>
      ))}
    </div>
  )
}

type ButtonProps = {
  time: FreeTime
  day: string
  isChosen: boolean
  onPick: (time: WishedTime) => void
}

function TimeButton({ time: { start, end, resource }, day, isChosen, onPick }: ButtonProps) {
  const { timeZone: zone } = useProvider()
  const clock = format.time(instant(start), zone)
  return (
    <Button
      pressed={isChosen}
      label={`${format.shortDay(day)}, ${clock}, ${resource.name}`}
      onClick={() =>
        onPick({
          start: instant(start),
          end: instant(end),
          resourceUuid: resource.uuid,
          resourceName: resource.name,
        })
      }
    >
      {clock}
    </Button>
  )
}
