import { dayAt } from '#shared/zones.ts'
import { type Entry, nameOf, peopleIn } from '../../records.ts'
import { format, instant, timeRange } from '../../time.ts'
import { SelectField } from '../../ui/fields/Field.tsx'
import { WishSearch } from '../appointment/WishSearch.tsx'
import { type Choice, choiceOf, type Line, optionOf } from './choices.ts'
import { texts } from './words.ts'

type Props = {
  line: Line
  zone: string
  choice: Choice
  colleagues: { uuid: string; name: string }[]
  onChoose: (choice: Choice) => void
}

/** When an appointment is, with its day. */
export const whenOf = ({ appointment: { start, end } }: Line, zone: string) =>
  `${format.shortDay(dayAt(instant(start), zone))}, ${timeRange(start, end, zone)}`

/** To call those concerned. */
export function Numbers({ entry }: { entry: Entry }) {
  const numbers = [...new Set(peopleIn(entry).flatMap(one => one.mobile ?? []))]
  return (
    <span class="row">
      {numbers.map(one => (
        <a key={one} href={`tel:${one}`}>
          {one}
        </a>
      ))}
    </span>
  )
}

/** One appointment, and what happens to it. */
export function AbsenceLine({ line, zone, choice, colleagues, onChoose }: Props) {
  const { appointment, standIns } = line
  const { start, end } = appointment
  const picked = choice.kind === 'other' ? choice.time : null
  return (
    <li>
      <span>
        <strong>{nameOf(appointment)}</strong>
        <br />
        {whenOf(line, zone)} <span class="soft">· {appointment.product.name}</span>
        {standIns.length === 0 && (
          <>
            <br />
            <span class="not-covered">
              <span aria-hidden="true">▲</span> {texts.noColleague}
            </span>
          </>
        )}
        {picked && (
          <>
            <br />
            {format.shortDay(dayAt(picked.start, zone))}, {format.time(picked.start, zone)} ·{' '}
            {picked.resourceName}
          </>
        )}
      </span>
      <SelectField
        label={texts.choiceFor(nameOf(appointment))}
        value={optionOf(choice)}
        options={[
          ...standIns.map(one => ({ value: one.uuid, label: texts.toColleague(one.name) })),
          { value: 'other', label: texts.otherTime },
          { value: 'leave', label: texts.leave },
          { value: 'cancel', label: texts.cancel },
        ]}
        onChange={value => onChoose(choiceOf(line, value))}
      />
      {choice.kind === 'other' && (
        <div class="whole">
          {!picked && <p class="soft">{texts.pick}</p>}
          <WishSearch
            productUuid={appointment.product.uuid}
            resources={colleagues}
            day={dayAt(instant(start), zone)}
            duration={Math.round((instant(end) - instant(start)) / 60_000)}
            movingUuid={appointment.uuid}
            chosen={picked}
            onPick={time => onChoose({ kind: 'other', time })}
          />
        </div>
      )}
    </li>
  )
}
