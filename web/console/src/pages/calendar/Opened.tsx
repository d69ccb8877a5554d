import type { CalendarPeriod, Entry } from '../../records.ts'
import { BookDialog } from '../appointment/BookDialog.tsx'
import { MoveDialog } from '../appointment/MoveDialog.tsx'
import type { When } from '../appointment/When.tsx'
import { BlockDialog, HereDialog, OpenDialog, WhyDialog } from './dialogs.tsx'

/** `isExact`: the span was chosen, and not only where it begins. */
export type Open =
  | { kind: 'here' | 'book' | 'block' | 'open' | 'why'; when: When; isExact?: boolean }
  | { kind: 'move'; entry: Entry; to: When }

type Props = {
  open: Open
  data: CalendarPeriod
  onOpen: (open: Open) => void
  onDone: () => void
  onClose: () => void
}

/** The one dialog that is open over the calendar. */
export function Opened({ open, data, onOpen, onDone, onClose }: Props) {
  const { resources, products } = data
  const shared = { resources, onDone, onClose }
  if (open.kind === 'move')
    return <MoveDialog entry={open.entry} to={open.to} onDone={onDone} onClose={onClose} />
  const { kind, when, isExact = false } = open
  if (kind === 'book')
    return <BookDialog {...shared} start={isExact ? when : { ...when, to: '' }} products={products} />
  if (kind === 'here')
    return <HereDialog {...shared} when={when} onChoose={kind => onOpen({ kind, when, isExact })} />
  if (kind === 'block') return <BlockDialog {...shared} start={when} />
  if (kind === 'open') return <OpenDialog {...shared} start={when} />
  return <WhyDialog when={when} resources={resources} onClose={onClose} />
}
