import { useProvider, useSession } from '../../session.ts'
import { useEdit } from '../../ui/editing/use-edit.ts'
import { NameField } from '../../ui/fields/Field.tsx'
import { Pending } from '../../ui/Page.tsx'
import { embedTexts } from '../channels/embed-words.ts'
import { SlugField } from '../channels/SlugField.tsx'
import { PhoneField, PlaceAndLanguage } from './forms.tsx'
import { StepForm } from './StepForm.tsx'
import { texts } from './words.ts'

/** The first step again, once the business exists. */
export function Business({ onDone }: { onDone: () => Promise<void> }) {
  const { uuid } = useProvider()
  const { reload } = useSession()
  const edit = useEdit(`/providers/${uuid}`)
  const { draft, saved, change, errorAt } = edit
  if (edit.loading.problem || !draft || !saved) return <Pending of={edit.loading} rows={6} />
  const submit = async () => {
    if (edit.isChanged) {
      if (!(await edit.save())) return
      // The rail shows the name and the time zone.
      await reload()
    }
    await onDone()
  }
  return (
    <StepForm onSubmit={submit}>
      <div class="step-grid">
        <NameField
          label={texts.businessName}
          hint={texts.businessNameHint}
          value={draft.name}
          onInput={name => change({ name })}
          error={errorAt('name')}
        />
        <SlugField
          value={draft.slug ?? ''}
          hint={saved.slug ? embedTexts.oldAddressHint : embedTexts.slugHint}
          onInput={slug => change({ slug: slug || null })}
          error={errorAt('slug')}
        />
        <PhoneField
          value={draft.phone ?? ''}
          onInput={phone => change({ phone: phone || null })}
          error={errorAt('phone')}
        />
        <PlaceAndLanguage
          timeZone={draft.timeZone}
          language={draft.language}
          change={change}
          errorAt={errorAt}
        />
      </div>
    </StepForm>
  )
}
