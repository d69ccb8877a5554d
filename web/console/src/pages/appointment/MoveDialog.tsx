import { useLayoutEffect, useState } from 'preact/hooks'
import { addDays } from '#shared/dates.ts'
import { api, Problem } from '../../api.ts'
import { common } from '../../common-words.ts'
import { type Entry, nameOf, peopleIn } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { format, instant, today } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import type { Place } from '../../ui/dialogs/place-beside.ts'
import { useConflictWarnings } from '../../ui/editing/use-conflict-warnings.ts'
import { NotifyFields, namedBy, useNotification } from '../../ui/fields/NotifyFields.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { withEllipsis } from '../../words.ts'
import { overlapping } from '../calendar/warnings.ts'
import { useDayData } from './day-data.ts'
import { FreeTimes } from './FreeTimes.tsx'
import { placesFor, spanOf, type When, whenOf } from './form-times.ts'
import { MoveSummary } from './MoveSummary.tsx'
import { canTrade, SwapDialog } from './SwapDialog.tsx'
import type { SeriesRecord } from './series/date-choices.ts'
import { type Scope, ScopeField } from './series/ScopeField.tsx'
import { SeriesMoveDialog } from './series/SeriesMoveDialog.tsx'
import { useWarnings, Warnings, WhenFields } from './WhenFields.tsx'
import { WishToggle } from './WishSearch.tsx'
import { texts } from './words.ts'

type Props = {
  entry: Entry
  to?: When
  /** Where it was dropped: a small dialog opens beside it, and the rest on request. */
  at?: Place
  /** Proposes a new time without answering the request: the customer may still decline. */
  isProposal?: boolean
  /** The series that it is a date of. */
  series?: SeriesRecord | null
  onDone: () => void
  onClose: () => void
}

const hasMail = (entry: Entry) => peopleIn(entry).some(one => one.email)

/**
 * Offers free times first, or any other time by hand. Also opens after a drag, with the new time filled in.
 */
export function MoveDialog({ entry, to, at, isProposal = false, series = null, onDone, onClose }: Props) {
  const { uuid, timeZone: zone } = useProvider()
  const [start, end] = [instant(entry.start), instant(entry.end)]
  const [when, setWhen] = useState(to ?? whenOf(entry.resource.uuid, start, end, zone))
  const [notification, setNotification] = useNotification()
  const day = useDayData(uuid, when.day)
  const others = peopleIn(entry).length - 1
  const span = spanOf(when, zone)
  const [scope, setScope] = useState<Scope>('this')
  const isThere = span?.start === start && span.end === end && when.resourceUuid === entry.resource.uuid
  const found = useWarnings(day.data, when, zone, { productUuid: entry.product.uuid, except: entry.uuid })
  // No warnings for the time it already has.
  const known = isThere ? [] : [...(isProposal && others > 0 ? [texts.othersMoveToo(others)] : []), ...found]
  const { busy, run, errorAt, warnings, forget } = useConflictWarnings(known, () => texts.timeNotFree)
  const canNotify = hasMail(entry)
  const [isSwapping, swap] = useState(false)
  const inTheWay =
    span && day.data && !isProposal ? overlapping(day.data, placementOf(entry, when, span)) : []
  const partner = inTheWay.length === 1 && canTrade(inTheWay[0]!) ? inTheWay[0]! : null
  const [isExpanded, expand] = useState(false)
  const hasWrongTime = Boolean(errorAt('start') || errorAt('end'))
  // They stay while the corrected time is being sent.
  useLayoutEffect(() => {
    if (hasWrongTime) expand(true)
  }, [hasWrongTime])
  const isBrief = at !== undefined && !isExpanded
  const choose = (next: When) => {
    forget()
    setWhen(next)
  }

  async function move(event: SubmitEvent) {
    event.preventDefault()
    if (!span || isThere) return
    const sendMails = canNotify && notification.sendMails
    const done = await run(ignoreConflicts =>
      sendMove(
        entry.uuid,
        { ...span, resourceUuid: when.resourceUuid },
        { ignoreConflicts, sendMails, message: sendMails ? notification.message : '' },
      ).then(() => true),
    )
    if (!done) return
    sayMoved(entry, zone, sendMails, onDone, isProposal ? texts.proposed : texts.moved)
    onDone()
  }

  if (series && scope !== 'this')
    return (
      <SeriesMoveDialog
        entry={entry}
        series={series}
        scope={scope}
        start={when}
        onScope={setScope}
        onDone={onDone}
        onClose={onClose}
      />
    )
  if (isSwapping && partner)
    return <SwapDialog entry={entry} other={partner} onDone={onDone} onClose={onClose} />
  return (
    <Dialog title={isProposal ? common.proposeTime : texts.moveTitle} at={at} onClose={onClose}>
      <MoveSummary
        entry={entry}
        zone={zone}
        to={isBrief && span ? { ...span, resourceUuid: when.resourceUuid } : null}
        resources={placesFor(entry, when, day.data)}
      />
      <form class="stack" onSubmit={move}>
        {series && <ScopeField scope={scope} onChange={setScope} />}
        {!to && (
          <FreeTimes
            resourceUuid={when.resourceUuid}
            productUuid={entry.product.uuid}
            day={when.day}
            chosen={span?.start ?? null}
            moving={entry}
            onDay={step => choose({ ...when, day: addDays(when.day, step) })}
            onPick={next => choose(whenOf(when.resourceUuid, next.start, next.end, zone))}
          />
        )}
        {!isBrief && (
          <>
            <WishToggle
              productUuid={entry.product.uuid}
              resources={placesFor(entry, when, day.data)}
              resourceUuid={when.resourceUuid}
              day={today(zone)}
              duration={Math.round((end - start) / 60_000)}
              movingUuid={entry.uuid}
              chosen={span && { start: span.start, resourceUuid: when.resourceUuid }}
              onPick={time => choose(whenOf(time.resourceUuid, time.start, time.end, zone))}
            />
            <WhenFields
              when={when}
              resources={placesFor(entry, when, day.data)}
              errorAt={errorAt}
              onChange={choose}
            />
          </>
        )}
        {canNotify && (
          <NotifyFields notification={notification} onChange={setNotification} isBrief={isBrief} />
        )}
        <div class="dialog-end">
          <Warnings list={warnings} />
          {partner && (
            <Button onClick={() => swap(true)}>{withEllipsis(texts.swapWith(nameOf(partner)))}</Button>
          )}
          {isBrief && (
            <Button kind="quiet" onClick={() => expand(true)}>
              {withEllipsis(common.moreOptions)}
            </Button>
          )}
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={busy} disabled={isThere} autofocus={to !== undefined}>
            {warnings.length > 0
              ? common.doAnyway
              : namedBy(notification, canNotify, isProposal ? texts.propose : common.move)}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const placementOf = (entry: Entry, { resourceUuid }: When, span: { start: number; end: number }) => ({
  ...span,
  resourceUuid,
  productUuid: entry.product.uuid,
  except: entry.uuid,
})

type Target = { start: number; end: number; resourceUuid: string }

export const sendMove = (
  uuid: string,
  { start, end, resourceUuid }: Target,
  { message, ...query }: { ignoreConflicts: boolean; sendMails: boolean; message: string },
) =>
  api.post(
    `/appointments/${uuid}/move`,
    {
      start: new Date(start).toISOString(),
      end: new Date(end).toISOString(),
      resourceUuid,
      message: message || null,
    },
    { query },
  )

/** Undo is offered only if no email was sent. It asks first if the former time is no longer free. */
export function sayMoved(
  before: Entry,
  zone: string,
  wasNotified: boolean,
  onUndone: () => void,
  sentence = texts.moved,
) {
  const [start, end] = [instant(before.start), instant(before.end)]
  const back = async (ignoreConflicts: boolean) => {
    const target = { start, end, resourceUuid: before.resource.uuid }
    await sendMove(before.uuid, target, { ignoreConflicts, sendMails: false, message: '' })
    onUndone()
  }
  const undo = () =>
    back(false).catch(error => {
      if (!(error instanceof Problem) || error.code !== 'conflict') throw error
      const about = `${nameOf(before)}, ${format.when(start, zone)}`
      showToast(texts.timeNotFree, {
        about,
        tone: 'bad',
        label: common.doAnyway,
        undo: () => back(true),
      })
    })
  showToast(sentence, { about: nameOf(before), ...(wasNotified ? {} : { undo }) })
}

/** No dialog needed: no email would be sent. */
export const canMoveSilently = (entry: Entry) => !hasMail(entry)
