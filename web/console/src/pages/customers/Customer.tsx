import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Link, useParams, useSearchParams } from 'wouter-preact'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useGo } from '../../navigation.ts'
import { may, useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { format, instant, timeRange, today } from '../../time.ts'
import { Button, ButtonFor } from '../../ui/Button.tsx'
import { Chip, StateChip } from '../../ui/Chip.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { Page, Skeleton, Trouble } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { withEllipsis } from '../../words.ts'
import { AppointmentPanel } from '../appointment/AppointmentPanel.tsx'
import { NextOf } from '../appointment/NextAppointment.tsx'
import { SeriesProgress } from '../appointment/series/SeriesProgress.tsx'
import { AnswerTable } from '../questions/Answers.tsx'
import { answerLines } from '../questions/answer-texts.ts'
import { briefTexts as questionTexts } from '../questions/brief-words.ts'
import { download, historyCsv } from '../questions/csv.ts'
import { type QuestionRecord, useQuestions } from '../questions/questions.ts'
import { WalkIn } from '../today/WalkIn.tsx'
import { type Entry, placesOf, stateOf, wishOf } from '../waiting/wish-text.ts'
import { ChangeCustomer } from './CustomerDialog.tsx'
import { EraseDialog } from './EraseDialog.tsx'
import { ListDialog } from './ListDialog.tsx'
import { MergeDialog, Merges } from './Merges.tsx'
import { texts as mergeTexts } from './merge-words.ts'
import { addressText, birthDay, type HistoryLine, type Customer as Record } from './records.ts'
import { texts } from './words.ts'

/** A customer's details with upcoming and past appointments. */
export default function Customer() {
  const { uuid } = useParams<{ uuid: string }>()
  const provider = useProvider()
  const go = useGo()
  const [open, setOpen] = useState<'edit' | 'erase' | 'book' | 'list' | 'next' | 'merge' | null>(null)
  const [params, setParams] = useSearchParams()
  const opened = params.get('appointment')
  const loaded = useLoad(`customer-${uuid}`, signal => api.get(`/customers/${uuid}`, { signal }))
  const customer = loaded.data
  const hasAnswers = customer?.history.some(line => Object.keys(line.answers).length > 0) ?? false
  const hasFields = Object.keys(customer?.fields ?? {}).length > 0
  const questions = useQuestions(hasAnswers || hasFields).data?.questions ?? []
  const { busy, run } = useSubmit()
  if (loaded.problem)
    return (
      <Page title={shell.customers}>
        <Trouble problem={loaded.problem} onRetry={loaded.reload} />
      </Page>
    )
  if (!customer)
    return (
      <Page title={shell.customers}>
        <Skeleton />
      </Page>
    )
  const save = () =>
    run(async () => {
      const data = await withWholeHistory(customer)
      download(fileOf(customer, 'json'), JSON.stringify(data, null, 2), 'application/json')
    })
  const saveCsv = () =>
    run(async () => {
      const { history } = await withWholeHistory(customer)
      download(fileOf(customer, 'csv'), historyCsv(history, questions, provider.timeZone))
    })
  const openPanel = (appointment: string) => setParams({ appointment })
  const shared = { questions, zone: provider.timeZone, onOpen: openPanel }
  const now = Date.now()
  const isComing = (line: HistoryLine) =>
    instant(line.end) > now && (line.state === 'BOOKED' || line.state === 'REQUESTED')
  const coming = customer.history.filter(isComing).reverse()
  const before = customer.history.filter(line => !isComing(line))
  const visits = before.filter(line => line.state === 'BOOKED').length
  const missed = before.filter(line => line.attendance === 'MISSED').length
  return (
    <Page
      title={customer.name}
      action={
        <>
          <ButtonFor right="book" onClick={() => setOpen('edit')}>
            {common.edit}
          </ButtonFor>
          <ButtonFor right="book" kind="main" onClick={() => setOpen('book')}>
            {common.book}
          </ButtonFor>
        </>
      }
    >
      <p>
        <Link href="/customers">‹ {shell.customers}</Link>
      </p>
      {customer.erasureRequestedAt && (
        <p class="notice-box">
          {texts.erasureRequested(format.fullDay(instant(customer.erasureRequestedAt), provider.timeZone))}
        </p>
      )}
      <Merges uuid={uuid} onUndone={() => void loaded.reload()} />
      <div class="card stack">
        <dl class="facts">
          <Fact
            label={common.email}
            value={customer.email && <a href={`mailto:${customer.email}`}>{customer.email}</a>}
          />
          <Fact
            label={common.mobileNumber}
            value={customer.mobile && <a href={`tel:${customer.mobile}`}>{customer.mobile}</a>}
          >
            {customer.unconfirmed.includes('mobile') && (
              <Unconfirmed customer={customer} onDone={loaded.reload} />
            )}
          </Fact>
          <Fact label={texts.birthDate} value={customer.birthDate && birthText(customer.birthDate, now)} />
          <Fact label={texts.address} value={addressText(customer.address)} />
          <Fact label={texts.insurer} value={customer.insurer} />
          <Fact label={texts.insuranceNumber} value={customer.insuranceNumber} />
          {answerLines(questions, customer.fields).map(line => (
            <Fact key={line.key} label={line.label} value={line.text} />
          ))}
          <Fact
            label={texts.tags}
            value={customer.tags.length > 0 && customer.tags.map(tag => <TagLink key={tag} tag={tag} />)}
          />
          {/* One that we made up says nothing to anyone. */}
          <Fact
            label={texts.reference}
            value={!/^[\da-f-]{36}@/.test(customer.reference) && customer.reference}
          />
        </dl>
        {customer.note && <blockquote class="said">{customer.note}</blockquote>}
        {visits > 0 && (
          <p class="soft">
            {texts.visits(visits)}
            {missed > 0 && ` · ${texts.noShows(missed)}`}
          </p>
        )}
      </div>
      {customer.series.length > 0 && (
        <div class="card stack">
          <SeriesProgress
            series={customer.series}
            zone={provider.timeZone}
            showNames={false}
            onOpen={openPanel}
          />
        </div>
      )}
      <Lines
        title={texts.upcoming}
        lines={coming}
        action={
          coming.some(line => line.state === 'BOOKED') && (
            <div class="row">
              <Button onClick={() => setOpen('list')}>{withEllipsis(texts.printOrSend)}</Button>
              <ButtonFor right="book" onClick={() => setOpen('next')}>
                {withEllipsis(common.nextAppointment)}
              </ButtonFor>
            </div>
          )
        }
        {...shared}
      />
      <Lines title={texts.history} lines={before} {...shared} />
      <Waiting entries={customer.waitingFor} zone={provider.timeZone} />
      <div class="row">
        {hasAnswers && (
          <Button busy={busy} onClick={saveCsv}>
            {questionTexts.download}
          </Button>
        )}
        <ButtonFor right="add-customers" onClick={() => setOpen('merge')}>
          {withEllipsis(mergeTexts.mergeWith)}
        </ButtonFor>
        {may(provider, 'manage') && (
          <>
            <Button busy={busy} onClick={save}>
              {texts.exportData}
            </Button>
            <a class="button" href={`/console/customer-record/${customer.uuid}`} download>
              {texts.exportPdf}
            </a>
            <Button kind="danger" onClick={() => setOpen('erase')}>
              {texts.erase}
            </Button>
          </>
        )}
      </div>
      {open === 'book' && (
        <WalkIn
          day={today(provider.timeZone)}
          customer={{ ...customer, next: null }}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null)
            void loaded.reload()
          }}
        />
      )}
      {opened && (
        <AppointmentPanel
          uuid={opened}
          onOpen={openPanel}
          onClose={() => setParams({}, { replace: true })}
          onChanged={() => void loaded.reload()}
        />
      )}
      {open === 'next' && (
        <NextOf
          uuid={coming.findLast(line => line.state === 'BOOKED')!.appointmentUuid}
          customer={uuid}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null)
            void loaded.reload()
          }}
        />
      )}
      {open === 'merge' && <MergeDialog customer={customer} onClose={() => setOpen(null)} />}
      {open === 'list' && <ListDialog customer={customer} onClose={() => setOpen(null)} />}
      {open === 'edit' && (
        <ChangeCustomer
          uuid={uuid}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null)
            showToast(common.saved, { about: customer.name })
            void loaded.reload()
          }}
        />
      )}
      {open === 'erase' && (
        <EraseDialog
          uuid={uuid}
          name={customer.name}
          onClose={() => setOpen(null)}
          onDone={() => go('/customers')}
        />
      )}
    </Page>
  )
}

const TagLink = ({ tag }: { tag: string }) => (
  <Link class="tag" href={`/customers?tag=${encodeURIComponent(tag)}`}>
    {tag}
  </Link>
)

function birthText(date: string, now: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const current = new Date(now)
  const hadBirthday = current.getMonth() + 1 - month || current.getDate() - day
  const years = current.getFullYear() - year - (hadBirthday < 0 ? 1 : 0)
  return years < 0 ? birthDay(date) : `${birthDay(date)} (${texts.age(years)})`
}

function Fact({
  label,
  value,
  children,
}: {
  label: string
  value: ComponentChildren
  children?: ComponentChildren
}) {
  if (!value) return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value} {children}
      </dd>
    </div>
  )
}

/**
 * Anyone can book with any email address, so details entered that way are not used until they are confirmed.
 */
function Unconfirmed({ customer, onDone }: { customer: Record; onDone: () => void }) {
  const { busy, run } = useSubmit()
  const confirm = () =>
    run(async () => {
      await api.patch(`/customers/${customer.uuid}`, { mobile: customer.mobile })
      showToast(common.saved, { about: customer.name })
      onDone()
    })
  return (
    <>
      <span class="soft">({texts.fromBooking})</span>{' '}
      <ButtonFor right="book" busy={busy} onClick={confirm}>
        {texts.confirmMobile}
      </ButtonFor>
    </>
  )
}

type LinesProps = {
  title: string
  action?: ComponentChildren
  lines: HistoryLine[]
  questions: QuestionRecord[]
  zone: string
  onOpen: (uuid: string) => void
}

function Lines({ title, action, lines, questions, zone, onOpen }: LinesProps) {
  return (
    <section class="stack">
      <header class="section-head">
        <h2>{title}</h2>
        {action}
      </header>
      {lines.length === 0 && <p class="soft">{texts.noAppointments}</p>}
      <ul class="lines dated">
        {lines.map(line => (
          <li key={line.participationUuid}>
            <span>
              <a
                href={`?appointment=${line.appointmentUuid}`}
                onClick={event => {
                  event.preventDefault()
                  onOpen(line.appointmentUuid)
                }}
              >
                {format.fullDay(instant(line.start), zone)}
              </a>
              , <time dateTime={line.start}>{timeRange(line.start, line.end, zone)}</time>
            </span>
            <span>
              {line.productName} · {line.resourceName}
            </span>
            <HistoryState line={line} />
            <HistoryAnswers line={line} questions={questions} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** As planned: a word without colour, so that the rest stands out. */
const HistoryState = ({ line }: { line: HistoryLine }) =>
  line.state === 'BOOKED' && line.attendance !== 'MISSED' ? (
    <span class="soft">{common[line.attendance ?? 'BOOKED']}</span>
  ) : (
    <StateChip person={line} />
  )

/** What the customer waits or waited for. */
function Waiting({ entries, zone }: { entries: Entry[]; zone: string }) {
  if (entries.length === 0) return null
  return (
    <section class="stack">
      <h2>{shell.waiting}</h2>
      <ul class="lines">
        {entries.map(one => (
          <li key={one.uuid}>
            <span>{wishOf(one, zone)}</span>
            <span>
              {one.product.name} · {placesOf(one)}
            </span>
            <Chip tone={one.endedAt ? 'off' : 'good'}>{stateOf(one)}</Chip>
            {one.note && <blockquote class="said">{one.note}</blockquote>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function HistoryAnswers({ line, questions }: { line: HistoryLine; questions: QuestionRecord[] }) {
  const lines = answerLines(questions, line.answers)
  return lines.length > 0 ? <AnswerTable lines={lines} /> : null
}

/** The page shows the latest appointments; files contain all of them. */
const withWholeHistory = ({ uuid }: Record) => api.get(`/customers/${uuid}`, { query: { history: 'all' } })

const fileOf = ({ reference }: Record, ending: string) => `${reference.replace(/[^\w.@-]+/g, '-')}.${ending}`
