import { useState } from 'preact/hooks'
import { api } from '../../../api.ts'
import { common, sentenceOf } from '../../../common-words.ts'
import { useLoad } from '../../../load.ts'
import type { Entry } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { format, instant, today } from '../../../time.ts'
import { Chip } from '../../../ui/Chip.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { SelectField } from '../../../ui/fields/Field.tsx'
import { Skeleton } from '../../../ui/Page.tsx'
import { locale } from '../../../words.ts'
import { closureTexts as texts } from './closure-words.ts'
import { countryOf, countryOptions } from './countries.ts'

type Props = {
  path: `/providers/${string}/closures`
  onClose: () => void
  onDone: (text: string, inside: Entry[]) => void
}

/** Public holidays of the next twelve months or of a year, for review before they are added. */
export function HolidayDialog({ path, onClose, onDone }: Props) {
  const { timeZone } = useProvider()
  const [country, setCountry] = useState(() => countryOf(timeZone))
  const [state, setState] = useState('')
  const [year, setYear] = useState('')
  const thisYear = Number(today(timeZone).slice(0, 4))
  const where = { country, state: state || null, year: year ? Number(year) : null }
  const regions = useLoad(`holiday-regions-${country}`, signal =>
    api.get('/holidays/regions', { query: { country, language: locale.language }, signal }),
  )
  const preview = useLoad(`holidays-${path}-${JSON.stringify(where)}`, signal =>
    api.get(`${path}/holidays`, { query: where, signal }),
  )
  const { busy, run } = useSubmit()
  const add = async () => {
    const made = await run(() => api.post(`${path}/holidays`, where))
    if (made) onDone(texts.added(made.added), made.appointments)
  }
  const holidays = preview.data?.holidays
  return (
    <Dialog title={texts.holidays} onClose={onClose}>
      <div class="fields">
        <SelectField
          label={texts.country}
          value={country}
          options={countryOptions()}
          onChange={next => {
            setCountry(next)
            setState('')
          }}
        />
        {regions.data?.regions.length !== 0 && (
          <SelectField
            label={texts.state}
            value={state}
            disabled={!regions.data}
            options={[
              { value: '', label: texts.wholeCountry },
              ...(regions.data?.regions ?? []).map(({ code, name }) => ({ value: code, label: name })),
            ]}
            onChange={setState}
          />
        )}
        <SelectField
          label={common.period}
          value={year}
          options={[
            { value: '', label: texts.nextMonths },
            ...[0, 1, 2].map(more => String(thisYear + more)).map(value => ({ value, label: value })),
          ]}
          onChange={setYear}
        />
      </div>
      {preview.problem && (
        <p class="error" role="alert">
          {sentenceOf(preview.problem)}
        </p>
      )}
      {preview.isLoading && <Skeleton rows={5} />}
      {/* The list scrolls, so it must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above */}
      <ul class="lines short holidays" aria-label={texts.holidays} tabIndex={0}>
        {holidays?.map(one => (
          <li key={one.from}>
            <span>{one.name}</span>
            <span>
              {format.fullDay(instant(one.from.slice(0, 10)), 'UTC')}{' '}
              {one.closed && <Chip tone="off">{texts.alreadyClosed}</Chip>}
            </span>
          </li>
        ))}
      </ul>
      <DialogButtons
        onClose={onClose}
        action={texts.addAllAsClosures}
        busy={busy}
        disabled={!holidays?.some(one => !one.closed)}
        onClick={add}
      />
    </Dialog>
  )
}
