import { useEffect, useRef, useState } from 'preact/hooks'
import { Link, useParams, useSearchParams } from 'wouter-preact'
import { api, type Problem } from '../../api.ts'
import { common } from '../../common-words.ts'
import { type Loaded, useLoad } from '../../load.ts'
import { useGo } from '../../navigation.ts'
import type { ImportPage } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { format, instant } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip, type Tone } from '../../ui/Chip.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { SelectField } from '../../ui/fields/Field.tsx'
import { Page, Skeleton, Trouble } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { MappingForm } from './MappingForm.tsx'
import { numberText, Problems } from './Problems.tsx'
import { texts } from './words.ts'

/** A new import, or one by its address: it goes on without this page. */
export default function Import() {
  const { uuid } = useParams<{ uuid?: string }>()
  return (
    <Page title={texts.title}>
      <p>
        <Link href="/customers">‹ {shell.customers}</Link>
      </p>
      {uuid ? <OneImport uuid={uuid} /> : <NewImport />}
    </Page>
  )
}

const maxMegabytes = 20

function NewImport() {
  const provider = useProvider()
  const go = useGo()
  const [params, setParams] = useSearchParams()
  const kind = params.get('kind') === 'appointments' ? 'appointments' : 'customers'
  const input = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const { busy, run } = useSubmit()
  const take = async (file: File | undefined) => {
    if (!file) return
    const isTooLarge = file.size > maxMegabytes * 1024 * 1024
    setWrong(isTooLarge ? texts.tooLarge : null)
    if (isTooLarge) return
    const content = await base64Of(file)
    const send = () =>
      api.post(`/providers/${provider.uuid}/imports`, { kind, fileName: file.name.slice(0, 200), content })
    const made = await run(() => send().catch((problem: Problem) => refuse(problem)))
    if (made) go(`/customers/import/${made.uuid}`)
  }
  /** What is wrong with the file stands below it. */
  const refuse = (problem: Problem) => {
    const fault = problem.faults[0]
    if (fault?.field !== 'content') throw problem
    setWrong(fault.rule === 'maxItems' ? texts.tooManyLines : texts.unreadable)
    return null
  }
  return (
    <>
      <div class="card stack">
        <SelectField
          label={texts.what}
          value={kind}
          options={[
            { value: 'customers', label: texts.customers },
            { value: 'appointments', label: texts.appointments },
          ]}
          onChange={value => setParams({ kind: value }, { replace: true })}
        />
        <p class="soft">{kind === 'customers' ? texts.customersHint : texts.appointmentsHint}</p>
        <input
          ref={input}
          hidden
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          aria-label={texts.chooseFile}
          onChange={async event => {
            const { currentTarget } = event
            await take(currentTarget.files?.[0])
            // Allows choosing the same file again.
            currentTarget.value = ''
          }}
        />
        <div class="row">
          <Button kind="main" busy={busy} onClick={() => input.current!.click()}>
            {texts.chooseFile}
          </Button>
        </div>
        {wrong && (
          <p class="error" role="alert">
            {wrong}
          </p>
        )}
        <p class="soft">{texts.limits}</p>
      </div>
      <Recent />
    </>
  )
}

async function base64Of(file: File): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
  return address.slice(address.indexOf(',') + 1)
}

const tones: Record<ImportPage['state'], Tone> = {
  UPLOADED: 'plain',
  CHECKING: 'wait',
  CHECKED: 'plain',
  RUNNING: 'wait',
  DONE: 'good',
  UNDOING: 'wait',
  UNDONE: 'off',
}

function Recent() {
  const provider = useProvider()
  const loaded = useLoad(`imports-${provider.uuid}`, signal =>
    api.get(`/providers/${provider.uuid}/imports`, { signal }),
  )
  const all = loaded.data?.imports ?? []
  if (loaded.problem) return <Trouble problem={loaded.problem} onRetry={loaded.reload} />
  if (all.length === 0) return null
  return (
    <section class="stack">
      <h2>{texts.recent}</h2>
      <div class="table-frame">
        <table class="table cards">
          <thead>
            <tr>
              <th>{texts.file}</th>
              <th>{texts.what}</th>
              <th>{texts.uploaded}</th>
              <th>{texts.lines}</th>
              <th>{common.state}</th>
            </tr>
          </thead>
          <tbody>
            {all.map(one => (
              <tr key={one.uuid}>
                <th scope="row">
                  <Link href={`/customers/import/${one.uuid}`}>{one.fileName}</Link>
                </th>
                <td>{texts[one.kind]}</td>
                <td>{format.when(instant(one.createdAt), provider.timeZone)}</td>
                <td class="figures">
                  {numberText(one.lineCount)}
                  <span class="only-phone-word soft"> {texts.lines}</span>
                </td>
                <td>
                  <Chip tone={tones[one.state]}>{texts[one.state]}</Chip>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const pollMs = 1_000
const isBusy = ({ state }: ImportPage) => state === 'CHECKING' || state === 'RUNNING' || state === 'UNDOING'

function OneImport({ uuid }: { uuid: string }) {
  const loaded = useLoad(`import-${uuid}`, signal => api.get(`/imports/${uuid}`, { signal }))
  const [isMapping, setMapping] = useState(false)
  const { data: page } = loaded
  useEffect(() => {
    if (!page || !isBusy(page)) return
    const timer = setTimeout(() => void loaded.reload(), pollMs)
    return () => clearTimeout(timer)
  }, [page, loaded.problem])
  const changed = (now: ImportPage) => {
    setMapping(false)
    loaded.set(() => now)
  }
  if (loaded.problem && !page) return <Trouble problem={loaded.problem} onRetry={loaded.reload} />
  if (!page) return <Skeleton />
  return (
    <div class="stack">
      <p>
        <strong class="wrap">{page.fileName}</strong>{' '}
        <span class="soft">
          {texts[page.kind]} · {texts.lineCount(page.lineCount, numberText(page.lineCount))}
        </span>
      </p>
      {page.importedBefore && (page.state === 'UPLOADED' || page.state === 'CHECKED') && (
        <p class="notice-box">{texts.importedBefore(format.day(page.importedBefore.slice(0, 10)))}</p>
      )}
      {page.state === 'UPLOADED' || (isMapping && page.state === 'CHECKED') ? (
        <MappingForm page={page} onDone={changed} />
      ) : (
        <Progress page={page} loaded={loaded} onMapping={() => setMapping(true)} onDone={changed} />
      )}
    </div>
  )
}

type ProgressProps = {
  page: ImportPage
  loaded: Loaded<ImportPage>
  onMapping: () => void
  onDone: (page: ImportPage) => void
}

function Progress({ page, onMapping, onDone }: ProgressProps) {
  const { state, counts, lineCount } = page
  const left = state === 'UNDOING' ? counts.CREATED + counts.CHANGED : counts.WAITING
  const headline = page.wasStopped && state !== 'RUNNING' ? texts.stopped : texts.headlines[state]
  return (
    <>
      <div role="status" class="stack">
        <p>{headline}</p>
        {isBusy(page) && (
          <>
            <progress max={lineCount} value={lineCount - left} aria-label={texts[state]} />
            <p class="soft">
              {texts.progress(numberText(lineCount - left), numberText(lineCount))} {texts.mayLeave}
            </p>
          </>
        )}
      </div>
      {!isBusy(page) && <Counts page={page} />}
      {state === 'CHECKED' && <Start page={page} onMapping={onMapping} onDone={onDone} />}
      {state === 'DONE' && <Undo page={page} onDone={onDone} />}
      {!isBusy(page) && (counts.REFUSED > 0 || counts.KEPT > 0) && <Problems page={page} />}
    </>
  )
}

function Counts({ page: { state, counts, kind, newCustomers } }: { page: ImportPage }) {
  const words = state === 'CHECKED' ? texts.willBe : texts.was
  const shown = (['CREATED', 'CHANGED', 'UNCHANGED', 'SKIPPED', 'UNDONE', 'KEPT', 'REFUSED'] as const).filter(
    name => counts[name] > 0,
  )
  return (
    <dl class="import-counts">
      {shown.map(name => (
        <div key={name}>
          <dt>{words[name]}</dt>
          <dd class="figures">{numberText(counts[name])}</dd>
        </div>
      ))}
      {kind === 'appointments' && newCustomers > 0 && (
        <div>
          <dt>{common.newCustomers}</dt>
          <dd class="figures">{numberText(newCustomers)}</dd>
        </div>
      )}
    </dl>
  )
}

type Step = { page: ImportPage; onDone: (page: ImportPage) => void }

function Start({ page, onMapping, onDone }: Step & { onMapping: () => void }) {
  const { uuid, counts } = page
  const go = useGo()
  const [mode, setMode] = useState<'good' | 'all'>('good')
  const { busy, run } = useSubmit()
  const good = page.lineCount - counts.REFUSED
  const start = async () => {
    const now = await run(() => api.post(`/imports/${uuid}/run`, { mode }))
    if (now) onDone(now)
  }
  const discard = async () => {
    const isDone = await run(async () => {
      await api.remove(`/imports/${uuid}`)
      return true
    })
    if (!isDone) return
    showToast(texts.discarded)
    go('/customers/import')
  }
  return (
    <div class="card stack">
      {counts.REFUSED > 0 && good > 0 && <p>{texts.goodOnly(good, numberText(good))}</p>}
      {counts.REFUSED === 0 && (
        <SelectField
          label={texts.ifOneFails}
          value={mode}
          options={[
            { value: 'good', label: texts.modeGood },
            { value: 'all', label: texts.modeAll },
          ]}
          onChange={setMode}
        />
      )}
      <p class="soft">{page.sendMails ? texts.withMails : texts.withoutMails}</p>
      <div class="row">
        {good > 0 && (
          <Button kind="main" busy={busy} onClick={start}>
            {texts.importLines(good, numberText(good))}
          </Button>
        )}
        <Button onClick={onMapping}>{texts.changeMapping}</Button>
        <Button kind="quiet" onClick={discard}>
          {texts.discard}
        </Button>
      </div>
    </div>
  )
}

function Undo({ page, onDone }: Step) {
  const [isAsking, setAsking] = useState(false)
  const [made, setMade] = useState<ImportPage | null>(null)
  const { counts, undoUntil, kind } = page
  if (counts.CREATED + counts.CHANGED === 0) return null
  return (
    <div class="row">
      <Link class="button main" href={kind === 'customers' ? '/customers' : '/calendar'}>
        {kind === 'customers' ? texts.showCustomers : texts.showCalendar}
      </Link>
      <Button onClick={() => setAsking(true)}>{texts.undo}</Button>
      {undoUntil && <span class="soft">{texts.undoUntil(format.day(undoUntil.slice(0, 10)))}</span>}
      {isAsking && (
        <ConfirmDialog
          title={texts.undoTitle}
          action={texts.undo}
          work={async () => setMade(await api.post(`/imports/${page.uuid}/undo`))}
          onDone={() => {
            setAsking(false)
            onDone({ ...page, ...made, state: 'UNDOING' })
          }}
          onClose={() => setAsking(false)}
        >
          <p>{kind === 'customers' ? texts.undoCustomers : texts.undoAppointments}</p>
          <p>{texts.undoKeeps}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
