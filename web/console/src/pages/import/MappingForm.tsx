import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import type { ImportPage } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { CheckField, chosenIn, SelectField } from '../../ui/fields/Field.tsx'
import { labelOf } from '../questions/questions.ts'
import { texts } from './words.ts'

const fields = {
  customers: [
    'name',
    'firstName',
    'lastName',
    'email',
    'mobile',
    'reference',
    'birthDate',
    'language',
    'street',
    'number',
    'zip',
    'city',
    'countryCode',
    'insurer',
    'insuranceNumber',
    'tags',
    'note',
  ],
  appointments: [
    'start',
    'day',
    'time',
    'end',
    'duration',
    'resource',
    'product',
    'customerReference',
    'name',
    'firstName',
    'lastName',
    'email',
    'mobile',
    'note',
  ],
} as const

/** The fields of a column, with those that the business has defined. */
export function useFieldNames(kind: ImportPage['kind']): { value: string; label: string }[] {
  const provider = useProvider()
  const loaded = useLoad(kind === 'customers' ? `questions-${provider.uuid}` : null, signal =>
    api.get(`/providers/${provider.uuid}/questions`, { signal }),
  )
  const own = (loaded.data?.questions ?? []).filter(one => one.subject === 'customer')
  return [
    ...fields[kind].map(value => ({ value: value as string, label: texts.fields[value] })),
    ...own.map(one => ({ value: `own:${one.key}`, label: labelOf(one.label) })),
  ]
}

type Props = { page: ImportPage; onDone: (page: ImportPage) => void }

/** Columns to fields. A field that is chosen again moves to the other column. */
export function MappingForm({ page, onDone }: Props) {
  const { uuid, kind, headers, samples } = page
  const names = useFieldNames(kind)
  const [mapping, setMapping] = useState(page.mapping)
  const [duplicates, setDuplicates] = useState(page.duplicates)
  const [dateOrder, setDateOrder] = useState(page.dateOrder)
  const [onlyOpen, setOnlyOpen] = useState(page.onlyOpen)
  const [sendMails, setSendMails] = useState(page.sendMails)
  const { busy, run } = useSubmit()
  const choose = (index: number, field: string) =>
    setMapping(before =>
      before.map((one, at) => (at === index ? field || null : one === field && field ? null : one)),
    )
  const missing = missingOf(kind, mapping)
  const check = async () => {
    const body = { mapping, duplicates, dateOrder, onlyOpen, sendMails }
    const now = await run(() => api.post(`/imports/${uuid}/check`, body))
    if (now) onDone(now)
  }
  return (
    <form
      class="stack"
      onSubmit={event => {
        event.preventDefault()
        if (!missing) void check()
      }}
    >
      <p class="soft">{texts.mappingHint}</p>
      <div class="table-frame">
        <table class="table cards">
          <thead>
            <tr>
              <th>{texts.column}</th>
              <th>{texts.samples}</th>
              <th>{texts.field}</th>
            </tr>
          </thead>
          <tbody>
            {headers.map((header, index) => (
              <tr key={`${index} ${header}`}>
                <th scope="row" class="wrap">
                  {header || texts.unnamed(index + 1)}
                </th>
                <td class="soft wrap">{sampleText(samples, index)}</td>
                <td>
                  <select
                    aria-label={`${texts.field}: ${header || texts.unnamed(index + 1)}`}
                    value={mapping[index] ?? ''}
                    onChange={event => choose(index, chosenIn(event.currentTarget, mapping[index] ?? ''))}
                  >
                    <option value="" selected={mapping[index] === null}>
                      {texts.leaveOut}
                    </option>
                    {names.map(one => (
                      <option key={one.value} value={one.value} selected={one.value === mapping[index]}>
                        {one.label}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {kind === 'customers' && (
        <SelectField
          label={texts.duplicates}
          hint={texts.duplicatesHint}
          value={duplicates}
          options={[
            { value: 'update', label: texts.update },
            { value: 'skip', label: texts.skip },
          ]}
          onChange={setDuplicates}
        />
      )}
      <SelectField
        label={texts.dates}
        value={dateOrder}
        options={[
          { value: 'dmy', label: texts.dayFirst },
          { value: 'mdy', label: texts.monthFirst },
        ]}
        onChange={setDateOrder}
      />
      {kind === 'appointments' && (
        <>
          <CheckField
            label={texts.onlyOpen}
            hint={texts.onlyOpenHint}
            checked={onlyOpen}
            onChange={setOnlyOpen}
          />
          <CheckField
            label={texts.sendMails}
            hint={texts.sendMailsHint}
            checked={sendMails}
            onChange={setSendMails}
          />
        </>
      )}
      {missing && (
        <p class="error" role="alert">
          {missing}
        </p>
      )}
      <div class="row">
        <Button kind="main" type="submit" busy={busy} disabled={missing !== null}>
          {texts.check}
        </Button>
        <span class="soft">{texts.checkHint}</span>
      </div>
    </form>
  )
}

const sampleText = (samples: string[][], index: number) =>
  samples
    .flatMap(cells => cells[index] || [])
    .slice(0, 3)
    .map(text => (text.length > 40 ? `${text.slice(0, 40)}…` : text))
    .join(' · ')

/** What is needed before anything can be imported. */
function missingOf(kind: ImportPage['kind'], mapping: (string | null)[]): string | null {
  const has = (...names: string[]) => names.some(name => mapping.includes(name))
  if (kind === 'customers') return has('name', 'firstName', 'lastName') ? null : texts.needsName
  if (!has('start') && !(has('day') && has('time'))) return texts.needsStart
  return has('name', 'firstName', 'lastName', 'email', 'customerReference') ? null : texts.needsPerson
}
