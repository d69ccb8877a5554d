import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { Channel } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { ConflictNotice } from '../../ui/editing/ConflictNotice.tsx'
import { type Edit, useEdit } from '../../ui/editing/use-edit.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { CheckField } from '../../ui/fields/Field.tsx'
import { Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useProducts } from '../offers/offers.ts'
import { useBusinessSettings } from './business-settings.ts'
import { Exception } from './Exception.tsx'
import { SettingFields } from './SettingFields.tsx'
import { type BookingSettings, type SettingName, settingLabels } from './setting-labels.ts'
import { settingValue } from './setting-value.ts'
import { texts } from './words.ts'

type Props = { uuid: string; channelKey: string; onSaved: () => void }

/** Settings of one channel, which follow the business or are exceptions, saved for it alone or for all four channels of the Resource. */
export function ChannelForm({ uuid, channelKey, onSaved }: Props) {
  const edit = useEdit(`/resources/${uuid}/channels/${channelKey}`)
  const business = useBusinessSettings()
  const [forAll, setForAll] = useState(false)
  const all = useSubmit()
  const { draft } = edit
  const usual = business.data
  if (edit.loading.problem || !draft) return <Pending of={edit.loading} rows={12} />
  if (business.problem || !usual) return <Pending of={business} rows={12} />
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
    else showToast(common.saved, { about: texts.names[draft.key], undo: edit.undo(onSaved) })
    setForAll(false)
    onSaved()
  }
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <ConflictNotice
        theirs={edit.theirs.filter(one => one.field !== 'inherited')}
        labels={{ ...texts.labels, ...settingLabels }}
        show={shown}
        onDrop={edit.drop}
      />
      <Settings draft={draft} usual={usual} change={edit.change} errorAt={edit.errorAt} />
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
  field in settingLabels ? settingValue(field as SettingName, value as never) : null

type SettingsProps = { draft: Channel; usual: BookingSettings } & Pick<Edit<Channel>, 'change' | 'errorAt'>

function Settings({ draft, usual, change, errorAt }: SettingsProps) {
  // Those at the beginning: a group stays as it is while one changes its fields.
  const [own] = useState(() =>
    (Object.keys(settingLabels) as SettingName[]).filter(name => !draft.inherited.includes(name)),
  )
  const inherit = (name: SettingName, isInherited: boolean) => {
    const others = draft.inherited.filter(one => one !== name)
    change(isInherited ? { inherited: [...others, name], [name]: usual[name] } : { inherited: others })
  }
  return (
    <>
      <CheckField
        label={texts.labels.visible}
        hint={texts.visibleHint}
        checked={draft.visible}
        onChange={visible => change({ visible })}
      />
      <ProductFilter chosen={draft.products} onChange={products => change({ products })} />
      <SettingFields
        draft={draft}
        change={change}
        errorAt={errorAt}
        special={own}
        around={(name, field) => (
          <Exception
            key={name}
            label={settingLabels[name]}
            usual={settingValue(name, usual[name])}
            isInherited={draft.inherited.includes(name)}
            onChange={isInherited => inherit(name, isInherited)}
          >
            {field}
          </Exception>
        )}
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
