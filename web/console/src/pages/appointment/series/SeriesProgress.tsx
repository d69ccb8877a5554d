import { Chip } from '../../../ui/Chip.tsx'
import { dateName } from './DateList.tsx'
import type { SeriesRecord } from './date-choices.ts'
import { texts } from './words.ts'

/** "4 of 10, 2 no-shows" */
export const progressOf = ({ past, total, missed }: SeriesRecord) =>
  [texts.progress(past, total), ...(missed > 0 ? [texts.missed(missed)] : [])].join(', ')

type Props = {
  series: SeriesRecord[]
  zone: string
  /** The date whose panel is open. */
  current?: string
  /** Names the person, where several have a series. */
  showNames?: boolean
  onOpen?: (appointmentUuid: string) => void
}

export function SeriesProgress({ series, zone, current, showNames = series.length > 1, onOpen }: Props) {
  return (
    <>
      {series.map(one => (
        <details key={one.seriesId} class="series-progress">
          <summary>
            {texts.series}
            {showNames && one.name && `, ${one.name}`}: <strong>{progressOf(one)}</strong>
            <span class="soft"> · {one.dates[0]!.productName}</span>
          </summary>
          <ol>
            {one.dates.map(date => (
              <li key={date.appointmentUuid} class={date.state === 'CANCELLED' ? 'off' : ''}>
                {onOpen && date.appointmentUuid !== current ? (
                  <a
                    href={`?appointment=${date.appointmentUuid}`}
                    onClick={event => {
                      event.preventDefault()
                      onOpen(date.appointmentUuid)
                    }}
                  >
                    {dateName(date, zone)}
                  </a>
                ) : (
                  dateName(date, zone)
                )}
                {date.appointmentUuid === current && <span class="soft"> · {texts.thisDate}</span>}
                {date.attendance === 'MISSED' && <Chip tone="bad">{texts.missed(1)}</Chip>}
                {date.state === 'CANCELLED' && <Chip tone="off">{texts.cancelled}</Chip>}
              </li>
            ))}
          </ol>
        </details>
      ))}
    </>
  )
}
