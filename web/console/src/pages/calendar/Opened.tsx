import type { CalendarPeriod, Entry } from '../../records.ts'
import { BookDialog } from '../appointment/BookDialog.tsx'
import { MoveDialog } from '../appointment/MoveDialog.tsx'
import type { When } from '../appointment/When.tsx'
import { AffectedDialog } from './AffectedDialog.tsx'
import { BlockDialog, HereDialog, OpenDialog, WhyDialog } from './dialogs.tsx'

/** `isExact`: the span was chosen, and not only where it begins. */
export type Open =
  | { kind: 'here' | 'book' | 'block' | 'open' | 'why'; when: When; isExact?: boolean }
  | { kind: 'move'; entry: Entry; to: When }
  | { kind: 'affected'; entries: Entry[] }

type Props = {
  open: Open
  data: CalendarPeriod
  onOpen: (open: Open) => void
  /** Something changed, and the dialog is done with. */
  onDone: () => void
  onChanged: () => void
  onClose: () => void
}

/** The one dialog that is open over the calendar. */
export function Opened({ open, data, onOpen, onDone, onChanged, onClose }: Props) {
  const { resources, products } = data
  const shared = { resources, onDone, onClose }
  if (open.kind === 'move')
    return <MoveDialog entry={open.entry} to={open.to} onDone={onDone} onClose={onClose} />
  if (open.kind === 'affected')
    return <AffectedDialog entries={open.entries} onDone={onChanged} onClose={onClose} />
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
        onChoose={kind => onOpen({ kind, when, isExact })}
      />
    )
  if (kind === 'block') return <BlockDialog {...shared} start={when} onAffected={onAffected} />
  if (kind === 'open') return <OpenDialog {...shared} start={when} />
  return <WhyDialog when={when} resources={resources} onClose={onClose} />
}
