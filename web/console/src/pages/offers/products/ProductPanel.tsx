import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api } from '../../../api.ts'
import { common } from '../../../common-words.ts'
import { refresh } from '../../../load.ts'
import type { Product } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { shell } from '../../../shell-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { DialogButtons, Panel } from '../../../ui/dialogs/Dialog.tsx'
import { binder } from '../../../ui/editing/binder.ts'
import { ConflictNotice } from '../../../ui/editing/ConflictNotice.tsx'
import { type Edit, useEdit } from '../../../ui/editing/use-edit.ts'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { CheckField, NumberField, TextField } from '../../../ui/fields/Field.tsx'
import { Pending } from '../../../ui/Page.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useBusinessSettings } from '../../channels/business-settings.ts'
import { Exception } from '../../channels/Exception.tsx'
import { QuestionChoice, useFormQuestions, useQuestionNames } from '../../questions/QuestionChoice.tsx'
import { useTeamHours } from '../offers.ts'
import { PictureField } from '../PictureField.tsx'
import { texts } from '../words.ts'
import { BufferLine } from './BufferLine.tsx'
import { DeleteProduct } from './DeleteProduct.tsx'
import { productTexts } from './product-words.ts'

type Fields = Pick<
  Product,
  'name' | 'description' | 'minDuration' | 'maxDuration' | 'leadTimeMinutes' | 'followUpTimeMinutes'
> &
  Pick<Product, 'maxPlaces' | 'placeNamesRequired' | 'priceText' | 'imageUrl'>
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
  priceText: null,
  imageUrl: null,
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
        <DialogButtons busy={busy} onClose={onClose} />
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
    showToast(common.saved, {
      about: edit.saved!.name,
      undo: edit.undo(() => refresh(`products-${provider.uuid}`)),
    })
    onDone()
  }
  return (
    <Panel title={edit.saved?.name ?? shell.offers} onClose={onClose}>
      <Pending of={edit.loading} rows={8} />
      {edit.draft && (
        <form class="stack" onSubmit={submit} noValidate>
          <ConflictNotice
            theirs={edit.theirs}
            labels={{
              name: common.name,
              description: common.description,
              minDuration: common.durationMinutes,
              maxDuration: productTexts.maxDuration,
              leadTimeMinutes: productTexts.bufferBefore,
              followUpTimeMinutes: productTexts.bufferAfter,
              questions: common.questions,
              answersRequired: productTexts.answersRequired,
              maxPlaces: productTexts.maxPlaces,
              placeNamesRequired: productTexts.placeNamesRequired,
              priceText: productTexts.price,
              imageUrl: texts.picture,
            }}
            onDrop={edit.drop}
          />
          <FieldsOf fields={edit.draft} onChange={edit.change} errorAt={edit.errorAt} />
          <FormOf draft={edit.draft} change={edit.change} />
          {edit.draft.questions.length > 0 && (
            <CheckField
              label={productTexts.answersRequired}
              hint={productTexts.answersRequiredHint}
              checked={edit.draft.answersRequired}
              onChange={answersRequired => edit.change({ answersRequired })}
            />
          )}
          <DialogButtons busy={edit.busy} onClose={onClose} />
          <hr />
          <div>
            <Button kind="danger" onClick={() => setDeleting(true)}>
              {common.delete}
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

/** The questions on its form: those of the business, until it has its own. */
function FormOf({ draft, change }: Pick<Edit<Product>, 'change'> & { draft: Product }) {
  const usual = useBusinessSettings().data?.questions
  const names = useQuestionNames()
  const hasQuestions = useFormQuestions().length > 0
  if (!usual || !hasQuestions) return null
  return (
    <Exception
      label={common.questions}
      usual={names(usual)}
      isInherited={!draft.ownQuestions}
      onChange={isInherited =>
        change({ ownQuestions: !isInherited, ...(isInherited && { questions: usual }) })
      }
    >
      <QuestionChoice chosen={draft.questions} onChange={questions => change({ questions })} />
    </Exception>
  )
}

type FieldsProps = {
  fields: Fields
  onChange: (part: Partial<Fields>) => void
  errorAt: (field: string) => string | null
}

function FieldsOf({ fields, onChange, errorAt }: FieldsProps) {
  const { minDuration, maxDuration, leadTimeMinutes, followUpTimeMinutes } = fields
  // Without an entry of its own, the longest duration follows the shortest: the service always takes as long.
  const [hasLongest, setHasLongest] = useState(maxDuration !== null && maxDuration !== minDuration)
  const bind = binder(fields, onChange, errorAt)
  return (
    <>
      <TextField label={common.name} hint={productTexts.productNameHint} required {...bind.value('name')} />
      <TextField
        label={common.description}
        hint={texts.descriptionHint}
        rows={3}
        {...bind.text('description')}
      />
      <TextField label={productTexts.price} hint={productTexts.priceHint} {...bind.text('priceText')} />
      <PictureField {...bind.value('imageUrl')} />
      <div class="fields">
        <NumberField
          label={common.durationMinutes}
          hint={productTexts.durationHint}
          min={1}
          step={5}
          value={minDuration}
          onInput={next => onChange({ minDuration: next, ...(!hasLongest && { maxDuration: next }) })}
          error={errorAt('minDuration')}
        />
        <NumberField
          label={productTexts.maxDuration}
          min={1}
          step={5}
          value={hasLongest ? maxDuration : null}
          onInput={next => {
            setHasLongest(next !== null)
            onChange({ maxDuration: next ?? minDuration })
          }}
          error={errorAt('maxDuration')}
        />
      </div>
      <RoundedUp minutes={minDuration} />
      <div class="fields">
        <NumberField label={productTexts.bufferBefore} min={0} step={5} {...bind.value('leadTimeMinutes')} />
        <NumberField
          label={productTexts.bufferAfter}
          hint={productTexts.bufferHint}
          min={0}
          step={5}
          {...bind.value('followUpTimeMinutes')}
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

/** Slots start and end on the grid of the opening hours, so a duration in between takes longer. */
function RoundedUp({ minutes }: { minutes: number | null }) {
  const { all } = useTeamHours()
  if (!minutes || minutes < 1) return null
  const [first] = all
    .flatMap(({ uuid, hours }) => hours.rules.map(({ raster }) => ({ uuid, raster })))
    .filter(({ raster }) => minutes % raster !== 0)
  if (!first) return null
  const booked = Math.ceil(minutes / first.raster) * first.raster
  return (
    <p class="notice-box" role="note">
      {productTexts.roundedUp(first.raster, booked)}{' '}
      <Link href={`/offers/resources/${first.uuid}/hours`}>{productTexts.changeSlots}</Link>
    </p>
  )
}
