import type { Closure } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { CheckField, TextField } from '../../../ui/Field.tsx'
import { useResources } from '../offers.ts'
import { type ShownSpan, shownSpan, spanOf } from './closure-span.ts'
import { closureTexts as texts } from './closure-words.ts'

export type Fields = Omit<Closure, 'uuid'>

type Props = {
  fields: Fields
  onChange: (part: Partial<Fields>) => void
  errorAt: (field: string) => string | null
}

export function ClosureFields({ fields, onChange, errorAt }: Props) {
  const { timeZone } = useProvider()
  const span = shownSpan(fields, timeZone)
  const put = (part: Partial<ShownSpan>) => onChange(spanOf({ ...span, ...part }))
  return (
    <>
      <TextField
        label={texts.reason}
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
          label={texts.from}
          type="date"
          value={span.first}
          onInput={first => put({ first })}
          error={errorAt('from')}
        />
        {!span.allDay && (
          <TextField label={texts.start} type="time" value={span.start} onInput={start => put({ start })} />
        )}
        <TextField
          label={texts.lastDay}
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
      <Which chosen={fields.resources ?? []} onChange={resources => onChange({ resources })} />
    </>
  )
}

type WhichProps = { chosen: string[]; onChange: (chosen: string[] | null) => void }

/** An empty choice means the whole business. */
function Which({ chosen, onChange }: WhichProps) {
  const all = useResources().data?.resources ?? []
  const resources = all.filter(one => !one.archived || chosen.includes(one.uuid))
  if (resources.length < 2) return null
  const put = (next: string[]) => onChange(next.length > 0 ? next : null)
  return (
    <fieldset class="stack tight">
      <legend>{texts.affectedResources}</legend>
      <p class="soft">{texts.affectedResourcesHint}</p>
      {resources.map(({ uuid, internalName }) => (
        <CheckField
          key={uuid}
          label={internalName}
          checked={chosen.includes(uuid)}
          onChange={isOn => put(isOn ? [...chosen, uuid] : chosen.filter(one => one !== uuid))}
        />
      ))}
    </fieldset>
  )
}
