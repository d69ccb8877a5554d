import type { ComponentChildren } from 'preact'
import type { Edit } from '../../ui/editing/use-edit.ts'
import { CountField } from '../../ui/fields/CountField.tsx'
import { DurationField } from '../../ui/fields/DurationField.tsx'
import { CheckField, NumberField, SelectField } from '../../ui/fields/Field.tsx'
import { Folded } from '../../ui/fields/Folded.tsx'
import { WaitingListNote } from '../waiting/WaitingListNote.tsx'
import { type BookingSettings, type SettingName, settingLabels } from './setting-labels.ts'
import { settingValue } from './setting-value.ts'
import { texts } from './words.ts'

type Props = { draft: BookingSettings; children?: ComponentChildren } & Pick<
  Edit<BookingSettings>,
  'change' | 'errorAt'
> & {
    /** Shows a field otherwise, such as one that follows the business. */
    around?: (name: SettingName, field: ComponentChildren) => ComponentChildren
    /** Groups that contain one of these are open from the beginning. */
    special?: SettingName[]
    /** Of `children`, for the closed group. */
    more?: string
  }

type Limits = readonly [min: number, max: number]

/** The settings of a business, or of a channel that has its own. `children` are more about the booking form. */
export function SettingFields({
  draft,
  change,
  errorAt,
  around = (_, field) => field,
  special = [],
  more,
  children,
}: Props) {
  const group = (title: string, names: SettingName[], fields: ComponentChildren, extra?: string) => (
    <Folded
      title={title}
      summary={[...names.map(name => `${settingLabels[name]}: ${settingValue(name, draft[name])}`), extra]
        .filter(Boolean)
        .join(' · ')}
      mustOpen={names.some(name => special.includes(name) || errorAt(name) !== null)}
    >
      {fields}
    </Folded>
  )
  const check = (
    name: 'customersOnly' | 'showFull' | 'waitingList' | 'agentBooking' | 'askMessage',
    hint?: string,
  ) =>
    around(
      name,
      <CheckField
        key={name}
        label={settingLabels[name]}
        {...(hint ? { hint } : {})}
        checked={draft[name]}
        onChange={isOn => change({ [name]: isOn })}
      />,
    )
  const duration = (name: 'minimumNoticeMinutes' | 'changeNoticeMinutes', hint: string) =>
    around(
      name,
      <DurationField
        key={name}
        label={settingLabels[name]}
        hint={hint}
        minutes={draft[name]}
        onChange={minutes => change({ [name]: minutes })}
        error={errorAt(name)}
      />,
    )
  const frameOf = (name: SettingName, hint: string, [min, max]: Limits) => ({
    label: settingLabels[name],
    hint,
    min,
    max,
    error: errorAt(name),
  })
  const number = (
    name: 'horizonDays' | 'reminderHours',
    hint: string,
    limits: Limits,
    onInput: (value: number | null) => void,
  ) =>
    around(
      name,
      <NumberField key={name} {...frameOf(name, hint, limits)} value={draft[name]} onInput={onInput} />,
    )
  const count = (name: 'seriesMax' | 'agentHoldMinutes', hint: string, limits: Limits) =>
    around(
      name,
      <CountField
        key={name}
        {...frameOf(name, hint, limits)}
        value={draft[name]}
        onInput={value => change({ [name]: value })}
      />,
    )
  return (
    <>
      {around(
        'bookingProcess',
        <SelectField
          key="bookingProcess"
          label={settingLabels.bookingProcess}
          value={draft.bookingProcess}
          options={(['IMMEDIATE', 'REQUESTED'] as const).map(value => ({
            value,
            label: texts.processes[value],
          }))}
          onChange={bookingProcess => change({ bookingProcess })}
        />,
      )}
      <div class="fields">
        {duration('minimumNoticeMinutes', texts.noticeHint)}
        {number('horizonDays', texts.horizonHint, [1, 3650], horizonDays => change({ horizonDays }))}
        {number('reminderHours', texts.reminderHint, [0, 720], hours =>
          change({ reminderHours: hours ?? 0 }),
        )}
        {duration('changeNoticeMinutes', texts.changeNoticeHint)}
      </div>
      {group(
        texts.form,
        ['phoneField', 'askMessage'],
        <>
          {around(
            'phoneField',
            <SelectField
              key="phoneField"
              label={settingLabels.phoneField}
              value={draft.phoneField}
              options={(['HIDDEN', 'OPTIONAL', 'REQUIRED'] as const).map(value => ({
                value,
                label: texts.phoneFields[value],
              }))}
              onChange={phoneField => change({ phoneField })}
            />,
          )}
          {check('askMessage')}
          {children}
        </>,
        more,
      )}
      {group(
        texts.fullyBooked,
        ['waitingList', 'showFull'],
        <>
          {check('waitingList', texts.waitingListHint)}
          <WaitingListNote />
          {check('showFull')}
        </>,
      )}
      {group(
        texts.whoBooks,
        ['customersOnly', 'seriesMax'],
        <>
          {check('customersOnly', texts.customersOnlyHint)}
          {count('seriesMax', texts.seriesMaxHint, [0, 50])}
        </>,
      )}
      {group(
        texts.assistants,
        ['agentBooking', 'agentHoldMinutes'],
        <>
          {check('agentBooking', texts.agentBookingHint)}
          {count('agentHoldMinutes', texts.agentHoldHint, [5, 1440])}
        </>,
      )}
    </>
  )
}
