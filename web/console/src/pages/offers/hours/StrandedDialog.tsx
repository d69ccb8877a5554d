import { dayAt } from '#shared/zones.ts'
import { api } from '../../../api.ts'
import { type Entry, nameOf, type Schemas } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { format, instant, timeRange } from '../../../time.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { patternTexts as texts } from './pattern-words.ts'

type Props = { entries: Entry[]; onSave: () => Promise<unknown>; onClose: () => void }

/** Names the bookings outside the new hours, before they are saved. */
export function StrandedDialog({ entries, onSave, onClose }: Props) {
  const { timeZone: zone } = useProvider()
  return (
    <ConfirmDialog
      title={texts.strandedTitle}
      action={texts.saveAnyway}
      work={onSave}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{texts.stranded(entries.length)}</p>
      <ul class="lines short">
        {entries.map(one => (
          <li key={one.uuid}>
            <span>
              <strong>{nameOf(one)}</strong>
              <br />
              {format.shortDay(dayAt(instant(one.start), zone))}, {timeRange(one.start, one.end, zone)}
            </span>
            <span class="soft">{one.resource.name}</span>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}

export type HoursBody = Schemas['OpeningHoursOfSeveral']['resources'][number]

/** Bookings that would be outside the new hours. */
export const previewOf = async (providerUuid: string, resources: HoursBody[]) =>
  (await api.post(`/providers/${providerUuid}/hours/preview`, { resources })).appointments
