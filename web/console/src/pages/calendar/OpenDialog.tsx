import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { CalendarPeriod, CalendarResource, OpenTime } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { spanOf, type When } from '../appointment/form-times.ts'
import { Warnings, WhenFields } from '../appointment/WhenFields.tsx'
import { sendShift, strandedBy } from './change-hours.ts'
import { texts } from './words.ts'

type Props = {
  start: When
  resources: CalendarResource[]
  data: CalendarPeriod
  /** The slot to change; without it a new one is created. */
  slot?: OpenTime
  onDone: () => void
  onClose: () => void
}

/** Extra bookable time outside the opening hours: create, move or extend it without dragging. */
export function OpenDialog({ start, resources, data, slot, onDone, onClose }: Props) {
  const { timeZone: zone } = useProvider()
  const [when, setWhen] = useState(start)
  const [raster, setRaster] = useState(String(slot?.raster ?? 30))
  const { busy, run, errorAt } = useSubmit()
  const span = spanOf(when, zone)
  const stranded = slot && span ? strandedBy(data, slot, span) : null

  async function open() {
    if (!span) return
    const made = await run(() =>
      api.post(`/resources/${when.resourceUuid}/timeslots`, {
        start: new Date(span.start).toISOString(),
        end: new Date(span.end).toISOString(),
        raster: Number(raster),
      }),
    )
    if (!made) return
    showToast(texts.hoursAdded, { undo: () => api.remove(`/timeslots/${made.uuid}`).then(onDone) })
    onDone()
  }
  async function shift(slot: OpenTime) {
    if (!span || stranded) return
    const changed = await run(() => sendShift(slot.uuid, { ...span, raster: Number(raster) }))
    if (!changed) return
    const { start, end, raster: before } = slot
    const back = { start: Date.parse(start), end: Date.parse(end), raster: before }
    showToast(texts.hoursChanged, { undo: () => sendShift(slot.uuid, back).then(onDone) })
    onDone()
  }
  return (
    <Dialog title={slot ? texts.changeHoursTitle : texts.addHoursTitle} onClose={onClose}>
      <form
        class="stack"
        onSubmit={event => {
          event.preventDefault()
          void (slot ? shift(slot) : open())
        }}
      >
        <WhenFields
          autofocus
          when={when}
          resources={slot ? resources.filter(one => one.uuid === slot.resourceUuid) : resources}
          errorAt={errorAt}
          onChange={setWhen}
        />
        <TextField
          label={texts.slotLength}
          type="number"
          min={1}
          max={1440}
          required
          error={errorAt('raster')}
          value={raster}
          onInput={setRaster}
        />
        <DialogButtons
          onClose={onClose}
          action={slot ? common.save : texts.addHours}
          busy={busy}
          disabled={stranded !== null}
        >
          <Warnings list={stranded ? [stranded] : []} />
        </DialogButtons>
      </form>
    </Dialog>
  )
}
