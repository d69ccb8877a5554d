import { common } from '../../../common-words.ts'
import type { Closure } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { AllOrSome } from '../../../ui/fields/AllOrSome.tsx'
import { CheckField, TextField } from '../../../ui/fields/Field.tsx'
import { useResources } from '../offers.ts'
import { type ShownSpan, shownSpan, spanOf } from './closure-span.ts'
import { closureTexts as texts } from './closure-words.ts'

export type Fields = Omit<Closure, 'uuid'>

type Props = {
  fields: Fields
  onChange: (part: Partial<Fields>) => void
  errorAt: (field: string) => string | null
  /** They tried to save it. */
  wasTried: boolean
}

export function ClosureFields({ fields, onChange, errorAt, wasTried }: Props) {
  const { timeZone } = useProvider()
  const span = shownSpan(fields, timeZone)
  const put = (part: Partial<ShownSpan>) => onChange(spanOf({ ...span, ...part }))
  return (
    <>
      <TextField
        label={common.reason}
        hint={texts.reasonHint}
        required
        maxLength={200}
        value={fields.reason}
        onInput={reason => onChange({ reason })}
        error={errorAt('reason')}
      />
      <CheckField label={texts.allDay} checked={span.allDay} onChange={allDay => put({ allDay })} />
      <div class="fields">
        <TextField
          label={common.firstDay}
          type="date"
          value={span.first}
          onInput={first => put({ first })}
          error={errorAt('from')}
        />
        {!span.allDay && (
          <TextField label={texts.start} type="time" value={span.start} onInput={start => put({ start })} />
        )}
        <TextField
          label={common.lastDay}
          type="date"
          min={span.first}
          value={span.last}
          onInput={last => put({ last })}
          error={errorAt('to')}
        />
        {!span.allDay && (
          <TextField label={texts.end} type="time" value={span.end} onInput={end => put({ end })} />
        )}
      </div>
      <Which
        chosen={fields.resources}
        onChange={resources => onChange({ resources })}
        isMissing={wasTried && isUndecided(fields)}
      />
    </>
  )
}

/** An empty list: only some are affected, and it is not said yet which. */
export const isUndecided = ({ resources }: Fields) => resources?.length === 0

function Which({ chosen, onChange, isMissing }: WhichProps) {
  const all = useResources().data?.resources ?? []
  const resources = all.filter(one => !one.archived || chosen?.includes(one.uuid))
  if (resources.length < 2) return null
  return (
    <AllOrSome
      legend={texts.affectedResources}
      all={common.wholeBusiness}
      some={texts.onlySome}
      options={resources.map(({ uuid, internalName }) => ({ value: uuid, label: internalName }))}
      chosen={chosen}
      onChange={onChange}
      error={isMissing ? texts.chooseOne : null}
    />
  )
}

type WhichProps = {
  chosen: Fields['resources']
  onChange: (chosen: string[] | null) => void
  isMissing: boolean
}
