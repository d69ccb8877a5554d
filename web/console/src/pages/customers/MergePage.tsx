import { useState } from 'preact/hooks'
import { Link, useParams } from 'wouter-preact'
import { api } from '../../api.ts'
import { refresh, useLoad } from '../../load.ts'
import { useGo } from '../../navigation.ts'
import type { Schemas } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { format, instant } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { Page, Pending, Skeleton, Trouble } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { locale } from '../../words.ts'
import { useQuestions } from '../questions/questions.ts'
import { chosenFields, differs, type Row, rowsOf, type Side, sideOf } from './merge-rows.ts'
import { texts } from './merge-words.ts'
import type { Customer } from './records.ts'
import { texts as customerTexts } from './words.ts'

/** Two records of one person: choose what stays, see what moves, merge. */
export default function MergePage() {
  const { uuid, other } = useParams<{ uuid: string; other: string }>()
  const [one, two] = [useCustomer(uuid), useCustomer(other)]
  const problem = one.problem ?? two.problem
  return (
    <Page title={texts.title}>
      <p>
        <Link href="/customers/duplicates">‹ {customerTexts.duplicates}</Link>
      </p>
      {problem && <Trouble problem={problem} />}
      {!problem && !(one.data && two.data) && <Skeleton />}
      {one.data && two.data && <Merge pair={[one.data, two.data]} />}
    </Page>
  )
}

const useCustomer = (uuid: string) =>
  useLoad(`customer-${uuid}`, signal => api.get(`/customers/${uuid}`, { signal }))

type Pair = [Customer, Customer]

function Merge({ pair }: { pair: Pair }) {
  const go = useGo()
  const { timeZone } = useProvider()
  const [kept, keep] = useState<0 | 1>(0)
  const [picks, pick] = useState<Record<string, Side>>({})
  const hasOwn = pair.some(one => Object.keys(one.fields).length > 0)
  const rows = rowsOf(pair, useQuestions(hasOwn).data?.questions ?? [])
  const [stays, goes] = [pair[kept], pair[1 - kept]!]
  const body = { other: goes.uuid, ...chosenFields(rows, picks, kept, pair) }
  const path = `/customers/${stays.uuid}/merge` as const
  const preview = useLoad(`merge-${stays.uuid}-${JSON.stringify(body)}`, signal =>
    api.post(path, body, { query: { dryRun: true }, signal }),
  )
  const { busy, run } = useSubmit()
  const merge = async () => {
    const done = await run(() => api.post(path, body))
    if (!done) return
    showToast(texts.done)
    refresh(`customer-${stays.uuid}`)
    go(`/customers/${stays.uuid}`)
  }
  return (
    <>
      <fieldset class="merge-records">
        <legend>{texts.stays}</legend>
        <p class="soft">{texts.staysHint}</p>
        <div class="halves">
          {pair.map((customer, index) => (
            <label key={customer.uuid} class="card">
              <input
                type="radio"
                name="kept"
                checked={kept === index}
                onChange={() => keep(index as 0 | 1)}
              />
              <span>
                <strong>{customer.name}</strong>
                <span class="soft">{customerTexts.visits(customer.history.length)}</span>
                <span class="soft wrap">{customer.reference}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <Details rows={rows} pair={pair} kept={kept} picks={picks} onPick={pick} />
      <section class="card stack" aria-live="polite">
        <h2>{texts.moves(stays.name)}</h2>
        <Pending of={preview} rows={2} />
        {preview.data && <Moves merge={preview.data.merge} zone={timeZone} />}
      </section>
      <div class="row">
        <Button kind="main" busy={busy} disabled={!preview.data} onClick={merge}>
          {texts.merge}
        </Button>
      </div>
    </>
  )
}

type DetailsProps = {
  rows: Row[]
  pair: Pair
  kept: 0 | 1
  picks: Record<string, Side>
  onPick: (picks: Record<string, Side>) => void
}

/** Radio buttons only where both records have a value: anything else is taken over. */
function Details({ rows, pair, kept, picks, onPick }: DetailsProps) {
  const choice = (row: Row, side: Side, text: string) => (
    <label>
      <input
        type="radio"
        name={row.key}
        aria-label={`${row.label}: ${text}`}
        checked={sideOf(row, picks, kept) === side}
        onChange={() => onPick({ ...picks, [row.key]: side })}
      />
      <span>{text}</span>
    </label>
  )
  return (
    <section class="stack">
      <div>
        <h2>{texts.values}</h2>
        <p class="soft">{texts.valuesHint}</p>
      </div>
      <div class="table-frame">
        <table class="table merge-details">
          <thead>
            <tr>
              <th>
                <span class="visually-hidden">{texts.detail}</span>
              </th>
              {pair.map(({ uuid, name }) => (
                <th key={uuid} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.key}>
                <th scope="row">
                  {row.label}
                  {row.key === 'note' && differs(row) && choice(row, 'both', texts.bothNotes)}
                </th>
                {([0, 1] as const).map(side => (
                  <td key={side}>
                    {differs(row) ? choice(row, side, row.shown[side]) : row.shown[side] || '–'}
                  </td>
                ))}
              </tr>
            ))}
            {pair.some(one => one.tags.length > 0) && (
              <tr>
                <th scope="row">
                  {customerTexts.tags}
                  <span class="soft">{texts.all}</span>
                </th>
                {pair.map(({ uuid, tags }) => (
                  <td key={uuid}>{tags.join(', ') || '–'}</td>
                ))}
              </tr>
            )}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Moves({ merge, zone }: { merge: Schemas['CustomerMerge']; zone: string }) {
  const parts = [
    merge.participations > 0 && texts.bookings(merge.participations),
    merge.series > 0 && texts.series(merge.series),
    merge.emails > 0 && texts.emails(merge.emails),
    merge.waitingEntries > 0 && texts.entries(merge.waitingEntries),
  ].filter(one => one !== false)
  const list = new Intl.ListFormat(locale.tag, { type: 'conjunction' })
  return (
    <>
      <p>{parts.length > 0 ? list.format(parts) : texts.nothing}</p>
      <p class="soft">{texts.undoUntil(format.fullDay(instant(merge.undoUntil), zone))}</p>
    </>
  )
}
