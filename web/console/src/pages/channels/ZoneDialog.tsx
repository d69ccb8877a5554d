import { cityOf, instantOf } from '#shared/zones.ts'
import { format, today } from '../../time.ts'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { brandingTexts } from './branding-words.ts'

type Props = { from: string; to: string; onGo: () => void; onClose: () => void }

/** Explains the effect of a new time zone before it is saved. */
export function ZoneDialog({ from, to, onGo, onClose }: Props) {
  const ten = instantOf(`${today(from)}T10:00`, from)
  const { zone } = brandingTexts
  return (
    <Dialog title={zone.title(cityOf(to))} onClose={onClose}>
      <ul class="stack">
        <li>{zone.booked(format.time(ten, from), format.time(ten, to))}</li>
        <li>{zone.hours}</li>
        <li>{zone.others}</li>
        <li>{zone.mails}</li>
      </ul>
      <DialogButtons onClose={onClose} action={zone.confirm} kind="danger" onClick={onGo} />
    </Dialog>
  )
}
