import { common } from '../../../common-words.ts'
import { CountField } from '../../../ui/fields/CountField.tsx'
import { SelectField, TextField } from '../../../ui/fields/Field.tsx'
import { Weekdays } from '../../../ui/fields/Weekdays.tsx'
import type { Repeat } from './use-series.ts'
import { texts } from './words.ts'

type Props = {
  repeat: Repeat | null
  /** The weekday of the first date, 1 for Monday. */
  weekday: number
  firstDay: string
  onChange: (repeat: Repeat | null) => void
}

const units = ['day', 'week', 'month'] as const
const usual: Repeat = { unit: 'week', every: 1, weekdays: [], ends: 'count', count: 10, until: '' }

/** Once, or every n days, weeks or months. */
export function RepeatFields({ repeat, weekday, firstDay, onChange }: Props) {
  const change = (part: Partial<Repeat>) => onChange({ ...(repeat ?? usual), ...part })
  return (
    <>
      <div class="pair">
        <SelectField
          label={texts.repeat}
          value={repeat?.unit ?? 'never'}
          options={[
            { value: 'never' as const, label: texts.never },
            ...units.map(value => ({ value, label: texts.units[value] })),
          ]}
          onChange={unit => (unit === 'never' ? onChange(null) : change({ unit, weekdays: [] }))}
        />
        {repeat && (
          <>
            <CountField
              label={texts.every[repeat.unit]}
              min={1}
              max={100}
              value={repeat.every}
              onInput={every => change({ every })}
            />
            <SelectField
              label={texts.ends}
              value={repeat.ends}
              options={[
                { value: 'count' as const, label: texts.afterCount },
                { value: 'until' as const, label: texts.onDay },
              ]}
              onChange={ends => change({ ends })}
            />
            {repeat.ends === 'count' ? (
              <CountField
                label={texts.count}
                min={1}
                max={100}
                value={repeat.count}
                onInput={count => change({ count })}
              />
            ) : (
              <TextField
                label={common.lastDay}
                type="date"
                min={firstDay}
                required
                value={repeat.until}
                onInput={until => change({ until })}
              />
            )}
          </>
        )}
      </div>
      {repeat?.unit === 'week' && (
        <Weekdays
          legend={texts.weekdays}
          chosen={repeat.weekdays.length > 0 ? repeat.weekdays : [weekday]}
          onChange={weekdays => change({ weekdays })}
        />
      )}
    </>
  )
}
