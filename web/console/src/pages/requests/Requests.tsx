import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { dayAt } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useChanges } from '../../live-changes.ts'
import { useLoad } from '../../load.ts'
import { useMay, useProvider } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { format, instant, timeRange } from '../../time.ts'
import { Button, ButtonFor } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { ExportList, exportTexts } from '../../ui/ExportButton.tsx'
import { NotifyFields, useNotification } from '../../ui/fields/NotifyFields.tsx'
import { Empty, Page, Pending } from '../../ui/Page.tsx'
import { withEllipsis } from '../../words.ts'
import { FreeTimes } from '../appointment/FreeTimes.tsx'
import { whenOf } from '../appointment/form-times.ts'
import { MoveDialog } from '../appointment/MoveDialog.tsx'
import { useAnswer, type Waiting } from './answer.ts'
import { Several } from './Several.tsx'
import { texts } from './words.ts'

/** Oldest first: the longest wait is answered first, with one click. */
export default function Requests() {
  const provider = useProvider()
  const loaded = useLoad(`requests-${provider.uuid}`, signal =>
    api.get(`/providers/${provider.uuid}/requests`, { signal }),
  )
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const mayBook = useMay('book')
  const requests = loaded.data?.requests ?? []
  useChanges(provider.uuid, loaded.data ? null : undefined, {
    apply: () => void loaded.reload(),
    reload: () => void loaded.reload(),
  })
  return (
    <Page
      title={shell.requests}
      action={
        <ExportList
          file={shell.requests}
          heads={[
            exportTexts.when,
            exportTexts.service,
            exportTexts.person,
            exportTexts.name,
            exportTexts.email,
            exportTexts.mobile,
            exportTexts.note,
          ]}
          cells={(one: Waiting) => [
            `${format.fullDay(instant(one.start), provider.timeZone)}, ${timeRange(one.start, one.end, provider.timeZone)}`,
            one.product.name,
            one.resource.name,
            one.name,
            one.email,
            one.mobile,
            one.note,
          ]}
          rows={loaded.data?.requests}
        />
      }
    >
      <Pending of={loaded} rows={4} />
      {loaded.data?.requests.length === 0 && (
        <Empty
          action={
            <Link href="/calendar" class="button">
              {common.openCalendar}
            </Link>
          }
        >
          {texts.none}. {texts.noneHint}
        </Empty>
      )}
      {loaded.data && loaded.data.count > loaded.data.requests.length && (
        <p class="soft">{texts.showingOldest(loaded.data.count)}</p>
      )}
      {mayBook && requests.length > 1 && (
        <Several
          requests={requests}
          chosen={requests.filter(one => chosen.has(one.uuid))}
          onChosen={choose}
          onDone={loaded.reload}
        />
      )}
      <ul class="stack">
        {requests.map((one, index) => (
          <Request
            key={one.uuid}
            request={one}
            {...(mayBook && requests.length > 1
              ? { isChosen: chosen.has(one.uuid), onChoose: () => choose(toggled(chosen, one.uuid)) }
              : {})}
            isFirst={index < shownAtOnce}
            zone={provider.timeZone}
            onDone={loaded.reload}
          />
        ))}
      </ul>
    </Page>
  )
}

/** Up to this many requests show their free times at once; the others on demand. */
const shownAtOnce = 3

const toggled = (chosen: ReadonlySet<string>, uuid: string) =>
  chosen.has(uuid) ? new Set([...chosen].filter(one => one !== uuid)) : new Set([...chosen, uuid])

type RowProps = { request: Waiting; zone: string; onDone: () => Promise<void> }
type CardProps = RowProps & { isFirst: boolean; isChosen?: boolean; onChoose?: () => void }

function Request({ request, isFirst, isChosen, onChoose, zone, onDone }: CardProps) {
  const [open, setOpen] = useState<'decline' | 'propose' | null>(null)
  const [isLooking, look] = useState(isFirst)
  const [at, proposeAt] = useState<number | null>(null)
  const mayBook = useMay('book')
  const answering = useAnswer(request, onDone)
  const propose = ({ start }: { start: number }) => {
    proposeAt(start)
    setOpen('propose')
  }
  return (
    <li class="card stack">
      <div>
        <h2 class="row">
          {onChoose && (
            <input
              type="checkbox"
              aria-label={texts.select(request.name ?? '–')}
              checked={isChosen}
              onChange={onChoose}
            />
          )}
          {request.customer ? (
            <Link href={`/customers/${request.customer.uuid}`}>{request.name ?? '–'}</Link>
          ) : (
            (request.name ?? '–')
          )}
        </h2>
        <p>
          <strong>
            {format.fullDay(instant(request.start), zone)},{' '}
            <span class="nowrap">{timeRange(request.start, request.end, zone)}</span>
          </strong>
        </p>
        <p>
          {request.product.name} · {request.resource.name}
        </p>
        <p class="soft">
          {request.email && <a href={`mailto:${request.email}`}>{request.email}</a>}
          {request.email && request.mobile && ' · '}
          {request.mobile && <a href={`tel:${request.mobile}`}>{request.mobile}</a>}
          <br />
          {request.booked + request.cancelled === 0
            ? texts.firstVisit
            : texts.history(request.booked, request.cancelled, request.missed)}{' '}
          · {texts.requested} {format.when(instant(request.askedAt), zone)}
        </p>
        {request.note && <blockquote class="said">{request.note}</blockquote>}
      </div>
      <div class="row">
        <ButtonFor right="book" kind="main" busy={answering.busy} onClick={() => answering.send('accept')}>
          {common.accept}
        </ButtonFor>
        <ButtonFor right="book" onClick={() => setOpen('propose')}>
          {withEllipsis(common.proposeTime)}
        </ButtonFor>
        <ButtonFor right="book" onClick={() => setOpen('decline')}>
          {withEllipsis(texts.decline)}
        </ButtonFor>
      </div>
      {/* At the bottom, so that late content does not move the buttons. */}
      {mayBook && (
        <details open={isLooking} onToggle={event => look(event.currentTarget.open)}>
          <summary>{texts.otherTimes}</summary>
          {isLooking && (
            <FreeTimes
              resourceUuid={request.resource.uuid}
              productUuid={request.product.uuid}
              day={dayAt(instant(request.start), zone)}
              moving={{ uuid: request.appointmentUuid, start: request.start, end: request.end }}
              onPick={propose}
            />
          )}
        </details>
      )}
      {open === 'decline' && <AnswerDialog request={request} onDone={onDone} onClose={() => setOpen(null)} />}
      {open === 'propose' && (
        <Proposal
          uuid={request.appointmentUuid}
          {...(at === null ? {} : { at })}
          onDone={onDone}
          onClose={() => {
            setOpen(null)
            proposeAt(null)
          }}
        />
      )}
    </li>
  )
}

/** Accept or decline with a message, with or without an email. */
function AnswerDialog({ request, onDone, onClose }: Omit<RowProps, 'zone'> & { onClose: () => void }) {
  const [notification, setNotification] = useNotification()
  const answering = useAnswer(request, async () => {
    onClose()
    await onDone()
  })
  return (
    <Dialog title={texts.declineTitle} onClose={onClose}>
      <p>
        {request.name} · {request.product.name}
      </p>
      <NotifyFields notification={notification} onChange={setNotification} />
      <div class="dialog-end">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button busy={answering.busy} onClick={() => answering.send('accept', notification)}>
          {common.accept}
        </Button>
        <Button kind="danger" busy={answering.busy} onClick={() => answering.send('decline', notification)}>
          {texts.decline}
        </Button>
      </div>
    </Dialog>
  )
}

type ProposalProps = { uuid: string; at?: number; onDone: () => Promise<void>; onClose: () => void }

/** Proposes another time. The request stays open; the customer is notified and may accept or withdraw. */
function Proposal({ uuid, at, onDone, onClose }: ProposalProps) {
  const { timeZone: zone } = useProvider()
  const { data } = useLoad(`appointment-${uuid}`, signal => api.get(`/appointments/${uuid}`, { signal }))
  if (!data) return null
  const done = () => {
    onClose()
    void onDone()
  }
  const { start, end, resource } = data.entry
  const to = at && whenOf(resource.uuid, at, at + instant(end) - instant(start), zone)
  return <MoveDialog entry={data.entry} {...(to ? { to } : {})} isProposal onDone={done} onClose={onClose} />
}
