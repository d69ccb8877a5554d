import { weekdayName } from '../../pages/offers/hours/weekdays.ts'

type Props = {
  legend: string
  chosen: number[]
  /** The choice that stands for none of them, where it makes no difference which day it is. */
  any?: string
  onChange: (chosen: number[]) => void
}

/** 1 is Monday. */
export function Weekdays({ legend, chosen, any, onChange }: Props) {
  const toggle = (day: number) =>
    onChange(chosen.includes(day) ? chosen.filter(one => one !== day) : [...chosen, day].sort())
  return (
    <fieldset class="weekdays">
      <legend>{legend}</legend>
      <div class="row">
        {any && (
          <button
            type="button"
            class="button"
            aria-pressed={chosen.length === 0}
            onClick={() => onChange([])}
          >
            {any}
          </button>
        )}
        {[1, 2, 3, 4, 5, 6, 7].map(day => (
          <button
            key={day}
            type="button"
            class="button"
            aria-pressed={chosen.includes(day)}
            // As a description: the name of a button must contain what it shows, and "Mo" or "lun." is no part of the long name.
            title={weekdayName(day)}
            onClick={() => toggle(day)}
          >
            {weekdayName(day, 'short')}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
