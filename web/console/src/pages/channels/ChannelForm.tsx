import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { Channel } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { ConflictNotice } from '../../ui/ConflictNotice.tsx'
import { CountField } from '../../ui/CountField.tsx'
import { DurationField } from '../../ui/DurationField.tsx'
import { CheckField, NumberField, SelectField } from '../../ui/Field.tsx'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { type Edit, useEdit } from '../../ui/use-edit.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { useProducts } from '../offers/offers.ts'
import { texts } from './words.ts'

type Props = { uuid: string; channelKey: string; onSaved: () => void }

/** Settings of one channel, saved for it alone or for all four channels of the Resource. */
export function ChannelForm({ uuid, channelKey, onSaved }: Props) {
  const edit = useEdit(`/resources/${uuid}/channels/${channelKey}`)
  const [forAll, setForAll] = useState(false)
  const all = useSubmit()
  const { draft } = edit
  if (edit.trouble) return <Trouble problem={edit.trouble} onRetry={edit.read} />
  if (!draft) return <Skeleton rows={12} />
  /** Saves the open channel first: if someone else changed it, nothing is overwritten or copied. */
  const saveAll = async () => {
    const saved = await edit.save()
    if (!saved) return null
    const { uuid: _, key: __, ...settings } = saved
    return all.run(() => api.patch(`/resources/${uuid}/channels`, settings))
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!(await (forAll ? saveAll() : edit.save()))) return
    if (forAll) showToast(texts.savedForAll)
    else showToast(common.saved, { undo: edit.undo(onSaved) })
    setForAll(false)
    onSaved()
  }
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <ConflictNotice theirs={edit.theirs} labels={texts.labels} show={shown} onDrop={edit.drop} />
      <Settings draft={draft} change={edit.change} errorAt={edit.errorAt} />
      <div class="save-bar">
        <CheckField label={texts.applyToAll} checked={forAll} onChange={setForAll} />
        <Button kind="main" type="submit" busy={edit.busy || all.busy} disabled={!edit.isChanged && !forAll}>
          {common.save}
        </Button>
      </div>
    </form>
  )
}

const shown = (field: keyof Channel, value: unknown) =>
  field === 'bookingProcess' ? texts.processes[value as Channel['bookingProcess']] : null

type SettingsProps = { draft: Channel } & Pick<Edit<Channel>, 'change' | 'errorAt'>

function Settings({ draft, change, errorAt }: SettingsProps) {
  const { labels } = texts
  return (
    <>
      <CheckField
        label={labels.visible}
        hint={texts.visibleHint}
        checked={draft.visible}
        onChange={visible => change({ visible })}
      />
      <CheckField
        label={labels.customersOnly}
        hint={texts.customersOnlyHint}
        checked={draft.customersOnly}
        onChange={customersOnly => change({ customersOnly })}
      />
      <SelectField
        label={labels.bookingProcess}
        value={draft.bookingProcess}
        options={(['IMMEDIATE', 'REQUESTED'] as const).map(value => ({
          value,
          label: texts.processes[value],
        }))}
        onChange={bookingProcess => change({ bookingProcess })}
      />
      <ProductFilter chosen={draft.products} onChange={products => change({ products })} />
      <div class="fields">
        <DurationField
          label={labels.minimumNoticeMinutes}
          hint={texts.noticeHint}
          minutes={draft.minimumNoticeMinutes}
          onChange={minimumNoticeMinutes => change({ minimumNoticeMinutes })}
          error={errorAt('minimumNoticeMinutes')}
        />
        <NumberField
          label={labels.horizonDays}
          hint={texts.horizonHint}
          min={1}
          max={3650}
          value={draft.horizonDays}
          onInput={horizonDays => change({ horizonDays })}
          error={errorAt('horizonDays')}
        />
        <NumberField
          label={labels.reminderHours}
          hint={texts.reminderHint}
          min={0}
          max={720}
          value={draft.reminderHours}
          onInput={hours => change({ reminderHours: hours ?? 0 })}
          error={errorAt('reminderHours')}
        />
        <DurationField
          label={texts.changeNotice}
          hint={texts.changeNoticeHint}
          minutes={draft.changeNoticeMinutes}
          onChange={changeNoticeMinutes => change({ changeNoticeMinutes })}
          error={errorAt('changeNoticeMinutes')}
        />
      </div>
      <CheckField
        label={labels.showFull}
        checked={draft.showFull}
        onChange={showFull => change({ showFull })}
      />
      <CheckField
        label={labels.waitingList}
        checked={draft.waitingList}
        onChange={waitingList => change({ waitingList })}
      />
      <CountField
        label={labels.seriesMax}
        hint={texts.seriesMaxHint}
        min={0}
        max={50}
        value={draft.seriesMax}
        onInput={seriesMax => change({ seriesMax })}
        error={errorAt('seriesMax')}
      />
      <CountField
        label={labels.agentHoldMinutes}
        hint={texts.agentHoldHint}
        min={5}
        max={1440}
        value={draft.agentHoldMinutes}
        onInput={agentHoldMinutes => change({ agentHoldMinutes })}
        error={errorAt('agentHoldMinutes')}
      />
      <CheckField
        label={labels.agentBooking}
        hint={texts.agentBookingHint}
        checked={draft.agentBooking}
        onChange={agentBooking => change({ agentBooking })}
      />
    </>
  )
}

type FilterProps = { chosen: string[] | null; onChange: (chosen: string[] | null) => void }

function ProductFilter({ chosen, onChange }: FilterProps) {
  const products = useProducts().data?.products ?? []
  return (
    <fieldset class="stack tight">
      <legend>{texts.labels.products}</legend>
      <CheckField
        label={texts.allProducts}
        checked={chosen === null}
        onChange={isAll => onChange(isAll ? null : products.map(one => one.uuid))}
      />
      {chosen !== null &&
        products.map(({ uuid, name }) => (
          <CheckField
            key={uuid}
            label={name}
            checked={chosen.includes(uuid)}
            onChange={isOn => onChange(isOn ? [...chosen, uuid] : chosen.filter(one => one !== uuid))}
          />
        ))}
      {chosen?.length === 0 && <p class="error">{texts.noProductOffered}</p>}
    </fieldset>
  )
}
