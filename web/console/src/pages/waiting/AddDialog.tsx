import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useProvider } from '../../session.ts'
import { today } from '../../time.ts'
import { CustomerPicker } from '../../ui/customer/CustomerPicker.tsx'
import { useCustomerChoice } from '../../ui/customer/customer-choice.ts'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { binder } from '../../ui/editing/binder.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { SelectField, TextField } from '../../ui/fields/Field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useProducts, useResources } from '../offers/offers.ts'
import { texts } from './words.ts'

type Props = { onDone: () => void; onClose: () => void }

/** Staff add a customer who asked in person. */
export function AddDialog({ onDone, onClose }: Props) {
  const { uuid, timeZone } = useProvider()
  const choice = useCustomerChoice(uuid)
  const products = useProducts().data?.products ?? []
  const resources = useResources().data?.resources ?? []
  const [draft, setDraft] = useState(() => firstDraft(today(timeZone)))
  const { busy, run, errorAt } = useSubmit()
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const bind = binder(draft, change, errorAt)
  const product = draft.product || products[0]?.reference || ''
  const most = products.find(one => one.reference === product)?.maxPlaces ?? 1
  const submit = async (event: Event) => {
    event.preventDefault()
    const who = await choice.settle()
    if (!who) return
    const added = await run(async () => {
      const reference = await referenceOf(uuid, who)
      return api.post(`/providers/${uuid}/waiting_list`, {
        customerReference: reference,
        productReference: product,
        resourceReferences: draft.resource ? [draft.resource] : null,
        from: draft.from,
        to: draft.to,
        timeFrom: draft.timeFrom || null,
        timeTo: draft.timeTo || null,
        note: draft.note || null,
        places: most > 1 ? Number(draft.places) || 1 : 1,
      })
    })
    if (!added) return
    showToast(texts.added(added.customer.name))
    onDone()
  }
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <CustomerPicker choice={choice} errorAt={errorAt} />
        <SelectField
          label={common.product}
          value={product}
          options={products.map(one => ({ value: one.reference, label: one.name }))}
          onChange={value => change({ product: value })}
        />
        <SelectField
          label={common.with}
          value={draft.resource}
          options={[
            { value: '', label: common.anyone },
            ...resources.map(one => ({ value: one.reference, label: one.publicName })),
          ]}
          onChange={value => change({ resource: value })}
        />
        {most > 1 && (
          <TextField label={common.places} type="number" min={1} max={most} {...bind.value('places')} />
        )}
        <div class="fields">
          <TextField label={common.from} type="date" required {...bind.value('from')} />
          <TextField label={common.to} type="date" required {...bind.value('to')} />
          <TextField label={texts.timeFrom} type="time" {...bind.value('timeFrom')} />
          <TextField label={texts.timeTo} type="time" {...bind.value('timeTo')} />
        </div>
        <TextField
          label={texts.note}
          value={draft.note}
          onInput={note => change({ note })}
          maxLength={1023}
        />
        <DialogButtons busy={busy} onClose={onClose} action={common.add} />
      </form>
    </Dialog>
  )
}

type Chosen = NonNullable<Awaited<ReturnType<ReturnType<typeof useCustomerChoice>['settle']>>>

/** A new customer is added first. */
async function referenceOf(provider: string, { customerUuid, customer }: Chosen): Promise<string> {
  if (customerUuid) return (await api.get(`/customers/${customerUuid}`)).reference
  const { uuid } = await api.post(`/providers/${provider}/customers`, customer!)
  return (await api.get(`/customers/${uuid}`)).reference
}

const firstDraft = (from: string) => ({
  product: '',
  resource: '',
  from,
  to: new Date(Date.parse(from) + 13 * 86_400_000).toISOString().slice(0, 10),
  timeFrom: '',
  timeTo: '',
  places: '1',
  note: '',
})
