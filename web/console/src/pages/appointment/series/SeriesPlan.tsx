import { useState } from 'preact/hooks'
import { TextField } from '../../../ui/fields/Field.tsx'
import { Pending } from '../../../ui/Page.tsx'
import { DateList } from './DateList.tsx'
import type { useSeries } from './use-series.ts'
import { texts } from './words.ts'

type Props = {
  series: ReturnType<typeof useSeries>
  zone: string
  showPlace: boolean
  firstDay: string
  search: Parameters<typeof DateList>[0]['search']
}

/** The preview: what would be booked. */
export function SeriesPlan({ series, zone, showPlace, firstDay, search }: Props) {
  const { plan, dates, choices, addDay } = series
  const [day, setDay] = useState('')
  if (plan.problem || !plan.data) return <Pending of={plan} rows={4} />
  return (
    <>
      <DateList dates={dates} choices={choices} zone={zone} showPlace={showPlace} search={search} />
      <TextField
        label={texts.addDate}
        type="date"
        min={firstDay}
        value={day}
        onInput={next => {
          setDay(next)
          if (!/^2\d{3}-\d\d-\d\d$/.test(next)) return
          addDay(next)
          setDay('')
        }}
      />
    </>
  )
}
