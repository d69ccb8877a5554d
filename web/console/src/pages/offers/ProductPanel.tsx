import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { refresh } from '../../load.ts'
import type { Product } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { ConflictNotice } from '../../ui/ConflictNotice.tsx'
import { Panel } from '../../ui/Dialog.tsx'
import { CheckField, NumberField, TextField } from '../../ui/Field.tsx'
import { FormButtons } from '../../ui/FormButtons.tsx'
import { Skeleton, Trouble } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useEdit } from '../../ui/use-edit.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { BufferLine } from './BufferLine.tsx'
import { DeleteProduct } from './DeleteProduct.tsx'
import { productTexts } from './product-words.ts'
import { texts } from './words.ts'

type Fields = Pick<
  Product,
  'name' | 'description' | 'minDuration' | 'maxDuration' | 'leadTimeMinutes' | 'followUpTimeMinutes'
> &
  Pick<Product, 'maxPlaces' | 'placeNamesRequired'>
type Closing = { onClose: () => void; onDone: () => void }

const nothing: Fields = {
  name: '',
  description: null,
  minDuration: null,
  maxDuration: null,
  leadTimeMinutes: null,
  followUpTimeMinutes: null,
  maxPlaces: 1,
  placeNamesRequired: false,
}

export function NewProduct({ onClose, onDone }: Closing) {
  const provider = useProvider()
  const [fields, set] = useState(nothing)
  const { busy, run, errorAt } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    const made = await run(() => api.post(`/providers/${provider.uuid}/products`, fields))
    if (!made) return
    showToast(texts.added(made.name))
    onDone()
  }
  return (
    <Panel title={productTexts.addProduct} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <FieldsOf fields={fields} onChange={part => set({ ...fields, ...part })} errorAt={errorAt} />
        <FormButtons busy={busy} onClose={onClose} />
      </form>
    </Panel>
  )
}

export function ProductPanel({ uuid, onClose, onDone }: Closing & { uuid: string }) {
  const provider = useProvider()
  const edit = useEdit(`/products/${uuid}`)
  const [isDeleting, setDeleting] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!(await edit.save())) return
    showToast(common.saved, { undo: edit.undo(() => refresh(`products-${provider.uuid}`)) })
    onDone()
  }
  return (
    <Panel title={edit.saved?.name ?? texts.products} onClose={onClose}>
      {edit.trouble && <Trouble problem={edit.trouble} onRetry={edit.read} />}
      {!edit.draft && !edit.trouble && <Skeleton rows={8} />}
      {edit.draft && (
        <form class="stack" onSubmit={submit} noValidate>
          <ConflictNotice
            theirs={edit.theirs}
            labels={{
              name: texts.name,
              description: texts.description,
              minDuration: productTexts.minDuration,
              maxDuration: productTexts.maxDuration,
              leadTimeMinutes: productTexts.bufferBefore,
              followUpTimeMinutes: productTexts.bufferAfter,
              answersRequired: productTexts.answersRequired,
              maxPlaces: productTexts.maxPlaces,
              placeNamesRequired: productTexts.placeNamesRequired,
            }}
            onDrop={edit.drop}
          />
          <FieldsOf fields={edit.draft} onChange={edit.change} errorAt={edit.errorAt} />
          {edit.draft.questions.length > 0 && (
            <CheckField
              label={productTexts.answersRequired}
              hint={productTexts.answersRequiredHint}
              checked={edit.draft.answersRequired}
              onChange={answersRequired => edit.change({ answersRequired })}
            />
          )}
          <FormButtons busy={edit.busy} onClose={onClose} />
          <hr />
          <div>
            <Button kind="danger" onClick={() => setDeleting(true)}>
              {productTexts.remove}
            </Button>
          </div>
        </form>
      )}
      {isDeleting && (
        <DeleteProduct
          uuid={uuid}
          name={edit.saved!.name}
          onClose={() => setDeleting(false)}
          onDone={() => {
            refresh(`resources-${provider.uuid}`)
            onDone()
          }}
        />
      )}
    </Panel>
  )
}

type FieldsProps = {
  fields: Fields
  onChange: (part: Partial<Fields>) => void
  errorAt: (field: string) => string | null
}

function FieldsOf({ fields, onChange, errorAt }: FieldsProps) {
  const { name, description, minDuration, maxDuration, leadTimeMinutes, followUpTimeMinutes } = fields
  return (
    <>
      <TextField
        label={texts.name}
        hint={productTexts.productNameHint}
        required
        value={name}
        onInput={name => onChange({ name })}
        error={errorAt('name')}
      />
      <TextField
        label={texts.description}
        hint={texts.descriptionHint}
        rows={3}
        value={description ?? ''}
        onInput={text => onChange({ description: text || null })}
        error={errorAt('description')}
      />
      <div class="fields">
        <NumberField
          label={productTexts.minDuration}
          hint={productTexts.durationHint}
          min={1}
          step={5}
          value={minDuration}
          onInput={minDuration => onChange({ minDuration })}
          error={errorAt('minDuration')}
        />
        <NumberField
          label={productTexts.maxDuration}
          min={1}
          step={5}
          value={maxDuration}
          onInput={maxDuration => onChange({ maxDuration })}
          error={errorAt('maxDuration')}
        />
        <NumberField
          label={productTexts.bufferBefore}
          min={0}
          step={5}
          value={leadTimeMinutes}
          onInput={leadTimeMinutes => onChange({ leadTimeMinutes })}
          error={errorAt('leadTimeMinutes')}
        />
        <NumberField
          label={productTexts.bufferAfter}
          hint={productTexts.bufferHint}
          min={0}
          step={5}
          value={followUpTimeMinutes}
          onInput={followUpTimeMinutes => onChange({ followUpTimeMinutes })}
          error={errorAt('followUpTimeMinutes')}
        />
      </div>
      <BufferLine
        lead={leadTimeMinutes}
        duration={minDuration ?? maxDuration}
        longest={maxDuration}
        followUp={followUpTimeMinutes}
      />
      <NumberField
        label={productTexts.maxPlaces}
        hint={productTexts.maxPlacesHint}
        min={1}
        max={100}
        value={fields.maxPlaces}
        onInput={maxPlaces => onChange({ maxPlaces: maxPlaces ?? 1 })}
        error={errorAt('maxPlaces')}
      />
      {fields.maxPlaces > 1 && (
        <CheckField
          label={productTexts.placeNamesRequired}
          checked={fields.placeNamesRequired}
          onChange={placeNamesRequired => onChange({ placeNamesRequired })}
        />
      )}
    </>
  )
}
