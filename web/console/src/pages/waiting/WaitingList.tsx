import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { addDays } from '#shared/dates.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useChanges } from '../../live-changes.ts'
import { useLoad } from '../../load.ts'
import { useProvider, useSession } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { format, instant, timeRange, today } from '../../time.ts'
import { ButtonFor } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { ExportList, exportTexts } from '../../ui/ExportButton.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { SelectField, TextField } from '../../ui/fields/Field.tsx'
import { Empty, Page, Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { withEllipsis } from '../../words.ts'
import { type WishedTime, WishSearch } from '../appointment/WishSearch.tsx'
import { useProducts, useResources } from '../offers/offers.ts'
import { AddDialog } from './AddDialog.tsx'
import { RulesDialog } from './RulesDialog.tsx'
import { WaitingListNote } from './WaitingListNote.tsx'
import { type Entry, placesOf, stateOf, wishOf } from './wish-text.ts'
import { texts } from './words.ts'

/** Who waits for what, the next one first. */
export default function WaitingList() {
  const provider = useProvider()
  const { hasMailServer } = useSession()
  const [open, setOpen] = useState<'add' | 'rules' | null>(null)
  const loaded = useLoad(`waiting-${provider.uuid}`, signal =>
    api.get(`/providers/${provider.uuid}/waiting_list`, { signal }),
  )
  useChanges(provider.uuid, loaded.data ? null : undefined, {
    apply: () => void loaded.reload(),
    reload: () => void loaded.reload(),
  })
  const all = loaded.data?.entries ?? []
  const [wanted, setWanted] = useState('')
  const products = new Map(all.map(({ product }) => [product.uuid, product.name]))
  // The last one may have left the list.
  const shownProduct = products.has(wanted) ? wanted : ''
  const entries = all.filter(one => !shownProduct || one.product.uuid === shownProduct)
  const buttons = (
    <>
      {entries.length > 0 && (
        <ExportList
          file={shell.waiting}
          heads={[
            common.customer,
            common.product,
            common.resource,
            exportTexts.wish,
            common.state,
            texts.since,
          ]}
          cells={(one: Entry) => [
            one.customer.name,
            one.product.name,
            placesOf(one),
            wishOf(one, provider.timeZone),
            stateOf(one),
            format.when(instant(one.since), provider.timeZone),
          ]}
          rows={entries}
        />
      )}
      <ButtonFor right="manage" onClick={() => setOpen('rules')}>
        {withEllipsis(common.settings)}
      </ButtonFor>
      <ButtonFor right="book" kind="main" onClick={() => setOpen('add')}>
        {withEllipsis(texts.add)}
      </ButtonFor>
    </>
  )
  const highest = Math.max(0, ...all.map(one => one.priority))
  return (
    <Page title={shell.waiting} action={buttons}>
      <WaitingListNote />
      <Pending of={loaded} rows={4} />
      {loaded.data && all.length === 0 && (
        <>
          <Empty>
            {texts.none} {(hasMailServer || provider.isDemo) && texts.turnOn}
          </Empty>
          <Example zone={provider.timeZone} />
        </>
      )}
      {products.size > 1 && (
        <SelectField
          label={common.product}
          value={shownProduct}
          options={[
            { value: '', label: texts.allServices },
            ...[...products].map(([value, label]) => ({ value, label })),
          ]}
          onChange={setWanted}
        />
      )}
      <ul class="stack">
        {entries.map(one => (
          <Row key={one.uuid} entry={one} highest={highest} zone={provider.timeZone} onDone={loaded.reload} />
        ))}
      </ul>
      {open === 'rules' && <RulesDialog onClose={() => setOpen(null)} />}
      {open === 'add' && (
        <AddDialog
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null)
            void loaded.reload()
          }}
        />
      )}
    </Page>
  )
}

type Wished = Parameters<typeof wishOf>[0] &
  Parameters<typeof placesOf>[0] &
  Pick<Entry, 'product' | 'places'>

const Wish = ({ entry, zone }: { entry: Wished; zone: string }) => (
  <>
    <p>
      <strong>{entry.product.name}</strong> · {placesOf(entry)}
      {entry.places > 1 && ` · ${texts.severalPlaces(entry.places)}`}
    </p>
    <p>{wishOf(entry, zone)}</p>
  </>
)

/** What an entry will look like, with a service of the business. */
function Example({ zone }: { zone: string }) {
  const product = useProducts().data?.products[0]
  if (!product) return null
  const day = today(zone)
  const entry: Wished = {
    product,
    places: 1,
    resources: null,
    replacesStart: null,
    from: day,
    to: addDays(day, 14),
    weekdays: [1, 2, 4],
    timeFrom: '08:00',
    timeTo: '12:00',
  }
  return (
    <figure class="example stack">
      <figcaption class="soft">{texts.example}</figcaption>
      <div class="card">
        <h2>Alex Winter</h2>
        <Wish entry={entry} zone={zone} />
        <p class="soft">
          {texts.waiting} · {texts.since} {format.when(Date.now(), zone)}
        </p>
      </div>
    </figure>
  )
}

type RowProps = { entry: Entry; highest: number; zone: string; onDone: () => Promise<void> }

function Row({ entry, highest, zone, onDone }: RowProps) {
  const { uuid } = useProvider()
  const [open, setOpen] = useState<'offer' | 'first' | 'end' | null>(null)
  const path = `/providers/${uuid}/waiting_list/${entry.uuid}` as const
  const close = () => setOpen(null)
  const done = (text: string) => {
    close()
    showToast(text)
    void onDone()
  }
  const { busy, run } = useSubmit()
  const backInLine = async () => {
    const body = { priority: 0, priorityReason: null }
    if (await run(() => api.patch(path, body))) done(texts.notFirstNow)
  }
  const live = entry.offers.find(one => one.outcome === null)
  return (
    <li class="card stack">
      <div>
        <h2>
          <Link href={`/customers/${entry.customer.uuid}`}>{entry.customer.name}</Link>
        </h2>
        <Wish entry={entry} zone={zone} />
        <p class="soft">
          {stateOf(entry)} · {texts.since} {format.when(instant(entry.since), zone)}
          {entry.priority > 0 &&
            ` · ${texts.isFirst}${entry.priorityReason ? `: ${entry.priorityReason}` : ''}`}
        </p>
        {live && (
          <p>
            {texts.offered(
              `${format.fullDay(instant(live.start), zone)}, ${timeRange(live.start, live.end, zone)}`,
              format.when(instant(live.expiresAt), zone),
            )}
          </p>
        )}
        {entry.note && <blockquote class="said">{entry.note}</blockquote>}
      </div>
      <div class="row">
        {entry.state === 'WAITING' && (
          <ButtonFor right="book" kind="main" onClick={() => setOpen('offer')}>
            {withEllipsis(texts.offer)}
          </ButtonFor>
        )}
        {entry.priority > 0 ? (
          <ButtonFor right="book" busy={busy} onClick={backInLine}>
            {texts.notFirst}
          </ButtonFor>
        ) : (
          <ButtonFor right="book" onClick={() => setOpen('first')}>
            {withEllipsis(texts.putFirst)}
          </ButtonFor>
        )}
        <ButtonFor right="book" onClick={() => setOpen('end')}>
          {withEllipsis(texts.end)}
        </ButtonFor>
      </div>
      {entry.offers.length > 0 && <Offers entry={entry} zone={zone} />}
      {open === 'offer' && <OfferDialog entry={entry} path={path} onDone={done} onClose={close} />}
      {open === 'first' && <FirstDialog path={path} priority={highest + 1} onDone={done} onClose={close} />}
      {open === 'end' && (
        <ConfirmDialog
          title={texts.endTitle(entry.customer.name)}
          action={texts.end}
          work={() => api.remove(path)}
          onDone={() => done(texts.ended)}
          onClose={close}
        >
          <p>{texts.endHint}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

/** The chain of offers, newest last. */
function Offers({ entry, zone }: { entry: Entry; zone: string }) {
  return (
    <details>
      <summary>{texts.offers(entry.offers.length)}</summary>
      <ul>
        {entry.offers.map(one => (
          <li key={one.start}>
            {format.fullDay(instant(one.start), zone)}, {timeRange(one.start, one.end, zone)}:{' '}
            {texts.outcomes[one.outcome ?? 'OPEN']}
          </li>
        ))}
      </ul>
    </details>
  )
}

type DialogProps = {
  path: `/providers/${string}/waiting_list/${string}`
  onDone: (text: string) => void
  onClose: () => void
}

/** Offers a free time out of turn; the search starts with the customer's wish. */
function OfferDialog({ entry, path, onDone, onClose }: DialogProps & { entry: Entry }) {
  const { timeZone: zone } = useProvider()
  const { busy, run } = useSubmit()
  const loaded = useResources().data?.resources
  const all = loaded ?? []
  const names = entry.resourceReferences
  const places = names ? all.filter(one => names.includes(one.reference)) : all
  const offer = async ({ start, resourceUuid }: WishedTime) => {
    const place = places.find(one => one.uuid === resourceUuid)
    if (busy || !place) return
    const body = { resourceReference: place.reference, start: new Date(start).toISOString() }
    if (await run(() => api.post(`${path}/offer`, body))) onDone(texts.offerMade(entry.customer.name))
  }
  return (
    <Dialog title={texts.offerTitle(entry.customer.name)} onClose={onClose}>
      <div class="stack">
        <p>{texts.offerHint}</p>
        {loaded && (
          <WishSearch
            productUuid={entry.product.uuid}
            resources={places.map(one => ({ uuid: one.uuid, name: one.publicName }))}
            day={entry.from > today(zone) ? entry.from : today(zone)}
            until={entry.to}
            wish={{
              weekdays: entry.weekdays.length === 7 ? [] : entry.weekdays,
              timeFrom: entry.timeFrom === '00:00' ? '' : entry.timeFrom,
              timeTo: entry.timeTo === '24:00' ? '' : entry.timeTo,
            }}
            onPick={offer}
          />
        )}
      </div>
    </Dialog>
  )
}

/** Before all others, including those who were put first earlier. */
function FirstDialog({ path, priority, onDone, onClose }: DialogProps & { priority: number }) {
  const [reason, setReason] = useState('')
  const { busy, run, errorAt } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = { priority: Math.min(priority, 1000), priorityReason: reason || null }
    if (await run(() => api.patch(path, body))) onDone(texts.isFirstNow)
  }
  return (
    <Dialog title={texts.putFirst} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField
          label={common.reason}
          value={reason}
          onInput={setReason}
          maxLength={255}
          required
          error={errorAt('priorityReason')}
        />
        <DialogButtons busy={busy} onClose={onClose} action={texts.putFirst} />
      </form>
    </Dialog>
  )
}
