import type { CalendarPeriod, Entry, OpenTime } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { instant } from '../../time.ts'
import { BookDialog } from '../appointment/BookDialog.tsx'
import { type When, whenOf } from '../appointment/form-times.ts'
import { MoveDialog } from '../appointment/MoveDialog.tsx'
import { AffectedDialog } from './AffectedDialog.tsx'
import { BlockDialog, HereDialog, WhyDialog } from './dialogs.tsx'
import { OpenDialog } from './OpenDialog.tsx'

/** `isExact`: the end was chosen too, not only the start. */
export type Open =
  | { kind: 'here' | 'book' | 'block' | 'open' | 'why'; when: When; isExact?: boolean }
  | { kind: 'move'; entry: Entry; to: When }
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
    return <MoveDialog entry={open.entry} to={open.to} onDone={onDone} onClose={onClose} />
  if (open.kind === 'affected')
    return <AffectedDialog entries={open.entries} data={data} onDone={onChanged} onClose={onClose} />
  if (open.kind === 'shift') {
    const { resourceUuid, start, end } = open.slot
    const when = whenOf(resourceUuid, instant(start), instant(end), zone)
    return <OpenDialog {...shared} data={data} slot={open.slot} start={when} />
  }
  const onAffected = (entries: Entry[]) => onOpen({ kind: 'affected', entries })
  const { kind, when, isExact = false } = open
  if (kind === 'book')
    return <BookDialog {...shared} start={isExact ? when : { ...when, to: '' }} products={products} />
  if (kind === 'here')
    return (
      <HereDialog
        {...shared}
        when={when}
        data={data}
        onAffected={onAffected}
        onShift={slot => onOpen({ kind: 'shift', slot })}
        onChoose={kind => onOpen({ kind, when, isExact })}
      />
    )
  if (kind === 'block') return <BlockDialog {...shared} start={when} onAffected={onAffected} />
  if (kind === 'open') return <OpenDialog {...shared} data={data} start={when} />
  return <WhyDialog when={when} resources={resources} onClose={onClose} />
}
