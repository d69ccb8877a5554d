import { useState } from 'preact/hooks'
import { addDays } from '#shared/dates.ts'
import { api } from '../../../api.ts'
import { common, sentenceOf } from '../../../common-words.ts'
import { useLoad } from '../../../load.ts'
import type { Entry } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { format, today } from '../../../time.ts'
import { Button } from '../../../ui/Button.tsx'
import { Chip } from '../../../ui/Chip.tsx'
import { CountField } from '../../../ui/CountField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import { Skeleton } from '../../../ui/Page.tsx'
import { useSending } from '../../../ui/use-sending.ts'
import { closureTexts as texts } from './closure-words.ts'
import { countryOf, countryOptions } from './countries.ts'

type Props = {
  path: `/providers/${string}/closures`
  onClose: () => void
  onDone: (text: string, inside: Entry[]) => void
}

const german: Record<string, string> = {
  BW: 'Baden-Württemberg',
  BY: 'Bayern',
  BE: 'Berlin',
  BB: 'Brandenburg',
  HB: 'Bremen',
  HH: 'Hamburg',
  HE: 'Hessen',
  MV: 'Mecklenburg-Vorpommern',
  NI: 'Niedersachsen',
  NW: 'Nordrhein-Westfalen',
  RP: 'Rheinland-Pfalz',
  SL: 'Saarland',
  SN: 'Sachsen',
  ST: 'Sachsen-Anhalt',
  SH: 'Schleswig-Holstein',
  TH: 'Thüringen',
}

/** With fewer of them left in a year, people plan the next one. */
const weeksLeft = 10

/** All public holidays of a year in one go, looked at before. */
export function HolidayDialog({ path, onClose, onDone }: Props) {
  const { timeZone } = useProvider()
  const [country, setCountry] = useState(() => countryOf(timeZone))
  const [state, setState] = useState('')
  const [year, setYear] = useState(Number(addDays(today(timeZone), weeksLeft * 7).slice(0, 4)))
  const where = { country, state: state.trim() || null, year }
  const preview = useLoad(`holidays-${path}-${JSON.stringify(where)}`, signal =>
    api.get(`${path}/holidays`, { query: where, signal }),
  )
  const { busy, run } = useSending()
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
        {country === 'DE' ? (
          <SelectField
            label={texts.state}
            value={state}
            options={[
              { value: '', label: texts.wholeCountry },
              ...Object.entries(german).map(([value, label]) => ({ value, label })),
            ]}
            onChange={setState}
          />
        ) : (
          <TextField label={texts.state} hint={texts.stateHint} value={state} onInput={setState} />
        )}
        <CountField label={texts.year} min={2000} max={2100} value={year} onInput={setYear} />
      </div>
      {preview.problem && (
        <p class="error" role="alert">
          {sentenceOf(preview.problem)}
        </p>
      )}
      {preview.isLoading && <Skeleton rows={5} />}
      {/* It scrolls: keys must reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above */}
      <ul class="lines short holidays" aria-label={texts.holidays} tabIndex={0}>
        {holidays?.map(one => (
          <li key={one.from}>
            <span>{one.name}</span>
            <span>
              {format.day(one.from.slice(0, 10))} {one.closed && <Chip tone="off">{texts.isClosed}</Chip>}
            </span>
          </li>
        ))}
      </ul>
      <div class="dialog-end">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button kind="main" busy={busy} disabled={!holidays?.some(one => !one.closed)} onClick={add}>
          {texts.addAll}
        </Button>
      </div>
    </Dialog>
  )
}
