import type { CalendarPeriod, Entry, OpenTime } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { instant } from '../../time.ts'
import type { Picked } from '../../ui/customer/customer-choice.ts'
import type { Place } from '../../ui/dialogs/place-beside.ts'
import { BookDialog } from '../appointment/BookDialog.tsx'
import { type When, whenOf } from '../appointment/form-times.ts'
import { MoveDialog } from '../appointment/MoveDialog.tsx'
import { AffectedDialog } from './AffectedDialog.tsx'
import { BlockDialog, HereDialog, WhyDialog } from './dialogs.tsx'
import { OpenDialog } from './OpenDialog.tsx'

/** `isExact`: the end was chosen too, not only the start. Without an end, a booking lasts as long as its Product. */
export type Open =
  | { kind: 'here'; when: When; isExact: boolean; at: Place }
  | { kind: 'book'; when: When; picked?: Picked; productUuid?: string }
  | { kind: 'block' | 'open' | 'why'; when: When }
  | { kind: 'move'; entry: Entry; to: When; at: Place }
  | { kind: 'shift'; slot: OpenTime }
  | { kind: 'affected'; entries: Entry[] }

type Props = {
  open: Open
  data: CalendarPeriod
  onOpen: (open: Open) => void
  /** Something changed, and the dialog can close. */
  onDone: () => void
  onChanged: () => void
  onClose: () => void
}

/** The dialog that is open over the calendar. */
export function CalendarDialogs({ open, data, onOpen, onDone, onChanged, onClose }: Props) {
  const { resources, products } = data
  const { timeZone: zone } = useProvider()
  const shared = { resources, onDone, onClose }
  if (open.kind === 'move')
    return <MoveDialog entry={open.entry} to={open.to} at={open.at} onDone={onDone} onClose={onClose} />
  if (open.kind === 'affected')
    return <AffectedDialog entries={open.entries} data={data} onDone={onChanged} onClose={onClose} />
  if (open.kind === 'shift') {
    const { resourceUuid, start, end } = open.slot
    const when = whenOf(resourceUuid, instant(start), instant(end), zone)
    return <OpenDialog {...shared} data={data} slot={open.slot} start={when} />
  }
  const onAffected = (entries: Entry[]) => onOpen({ kind: 'affected', entries })
  const { kind, when } = open
  if (open.kind === 'book')
    return (
      <BookDialog
        {...shared}
        start={when}
        products={products}
        picked={open.picked}
        {...(open.productUuid ? { productUuid: open.productUuid } : {})}
      />
    )
  if (open.kind === 'here')
    return (
      <HereDialog
        {...shared}
        when={when}
        isExact={open.isExact}
        at={open.at}
        data={data}
        onAffected={onAffected}
        onShift={slot => onOpen({ kind: 'shift', slot })}
        onChoose={kind => onOpen({ kind, when })}
        onMore={entered => onOpen({ kind: 'book', ...entered })}
      />
    )
  if (kind === 'block') return <BlockDialog {...shared} start={when} onAffected={onAffected} />
  if (kind === 'open') return <OpenDialog {...shared} data={data} start={when} />
  return <WhyDialog when={when} resources={resources} onClose={onClose} />
}
