import { useId, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { dayAt } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useMay, useProvider } from '../../session.ts'
import { format, instant, timeRange } from '../../time.ts'
import { Button, ButtonFor } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { NotifyFields, useNotification } from '../../ui/fields/NotifyFields.tsx'
import { withEllipsis } from '../../words.ts'
import { FreeTimes } from '../appointment/FreeTimes.tsx'
import { whenOf } from '../appointment/form-times.ts'
import { MoveDialog } from '../appointment/MoveDialog.tsx'
import { texts as appointmentTexts } from '../appointment/words.ts'
import { useAnswer, type Waiting } from './answer.ts'
import { texts } from './words.ts'

type RowProps = { request: Waiting; zone: string; onDone: () => Promise<void> }
type Props = RowProps & { isFew: boolean; isChosen?: boolean; onChoose?: () => void }

/** One line with its answers; everything else unfolds. */
export function Request({ request, isFew, isChosen, onChoose, zone, onDone }: Props) {
  const id = useId()
  const [open, setOpen] = useState<'decline' | 'propose' | null>(null)
  const [isUnfolded, unfold] = useState(isFew)
  const [at, proposeAt] = useState<number | null>(null)
  const answering = useAnswer(request, onDone)
  const name = request.name ?? '–'
  const start = instant(request.start)
  return (
    <li>
      <div class="request-line">
        {onChoose && (
          <input
            type="checkbox"
            data-part="choose"
            aria-label={texts.select(name)}
            checked={isChosen}
            onChange={onChoose}
          />
        )}
        <h2>
          <button
            type="button"
            data-part="details"
            aria-expanded={isUnfolded}
            aria-controls={id}
            onClick={() => unfold(!isUnfolded)}
          >
            <strong title={name}>{name}</strong>{' '}
            <span class="what">
              {request.product.name} · {request.resource.name}
              {request.note && <span class="soft"> · {request.note}</span>}
            </span>{' '}
            <span class="when">
              {format.shortDay(dayAt(start, zone))}, {timeRange(request.start, request.end, zone)}
            </span>
          </button>
        </h2>
        <div class="row">
          <span data-part="accept">
            <ButtonFor
              right="book"
              kind="main"
              busy={answering.busy}
              label={`${common.accept}: ${name}`}
              onClick={() => answering.send('accept')}
            >
              {common.accept}
            </ButtonFor>
          </span>
          <span data-part="decline">
            <ButtonFor right="book" label={`${texts.decline}: ${name}`} onClick={() => setOpen('decline')}>
              {withEllipsis(texts.decline)}
            </ButtonFor>
          </span>
        </div>
      </div>
      <div id={id} class="request-details" hidden={!isUnfolded}>
        {isUnfolded && (
          <Details
            request={request}
            zone={zone}
            onPropose={time => {
              proposeAt(time)
              setOpen('propose')
            }}
          />
        )}
      </div>
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

type DetailsProps = Omit<RowProps, 'onDone'> & { onPropose: (time: number | null) => void }

/** Who asks, what they wrote, how reliable they are, and what else is free that day. */
function Details({ request, zone, onPropose }: DetailsProps) {
  const mayBook = useMay('book')
  return (
    <>
      <p>
        {request.email && <a href={`mailto:${request.email}`}>{request.email}</a>}
        {request.email && request.mobile && ' · '}
        {request.mobile && <a href={`tel:${request.mobile}`}>{request.mobile}</a>}
        {(request.email || request.mobile) && request.customer && ' · '}
        {request.customer && (
          <Link href={`/customers/${request.customer.uuid}`}>{appointmentTexts.customerPage}</Link>
        )}
        <br />
        <span class="soft">
          {request.booked + request.cancelled === 0
            ? texts.firstVisit
            : texts.history(request.booked, request.cancelled, request.missed)}{' '}
          · {texts.requested} {format.when(instant(request.askedAt), zone)}
        </span>
      </p>
      {request.note && <blockquote class="said">{request.note}</blockquote>}
      {mayBook && (
        <>
          <FreeTimes
            title={texts.otherTimes}
            resourceUuid={request.resource.uuid}
            productUuid={request.product.uuid}
            day={dayAt(instant(request.start), zone)}
            around={instant(request.start)}
            moving={{ uuid: request.appointmentUuid, start: request.start, end: request.end }}
            onPick={({ start }) => onPropose(start)}
          />
          <div class="row">
            <Button onClick={() => onPropose(null)}>{withEllipsis(common.proposeTime)}</Button>
          </div>
        </>
      )}
    </>
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
