import type { Language } from '#shared/texts/index.ts'
import { browserZone } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import { useGo } from '../../navigation.ts'
import { type Me, may, rememberWelcome, useSession } from '../../session.ts'
import { binder } from '../../ui/editing/binder.ts'
import { useKeptInput } from '../../ui/editing/kept-input.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { NameField, SelectField, TextField } from '../../ui/fields/Field.tsx'
import { LanguageField, ZoneField } from '../../ui/fields/PlaceFields.tsx'
import { showProblem } from '../../ui/toasts.tsx'
import { locale } from '../../words.ts'
import { embedTexts } from '../channels/embed-words.ts'
import { SlugField, slugOf } from '../channels/SlugField.tsx'
import { withFreeSlug } from './free-slug.ts'
import { StepForm } from './StepForm.tsx'
import { pathOf } from './Steps.tsx'
import { texts } from './words.ts'

/** Creates the business. */
export function NewBusiness() {
  const { me, reload, choose } = useSession()
  const go = useGo()
  const [fields, set, forget] = useKeptInput(`business-${me.uuid}`, {
    name: '',
    ownerName: ownNameOf(me),
    ownerEmail: ownEmailOf(me),
    phone: '',
    timeZone: browserZone(),
    language: locale.language as Language,
    crm: null as string | null,
    /** Null: follows the name. */
    slug: null as string | null,
  })
  const crms = useCrms()
  const { run, errorAt } = useSubmit()
  const slug = fields.slug ?? slugOf(fields.name)
  const change = (part: Partial<typeof fields>) => set(before => ({ ...before, ...part }))
  const bind = binder(fields, change, errorAt)
  const submit = async () => {
    const { phone, ...business } = fields
    const crm = fields.crm ?? crms[0] ?? null
    const made = await run(() =>
      withFreeSlug(slug, fields.slug === null, free =>
        api.post('/providers', { ...business, slug: free || null, crm: crms.length > 1 ? crm : null }),
      ),
    )
    if (!made) return
    forget()
    // It can still be corrected in the step: the business exists already.
    if (phone.trim()) await api.patch(`/providers/${made.uuid}`, { phone: phone.trim() }).catch(showProblem)
    // The name has been entered by now.
    if (ownNameOf(me) === '') await api.patch('/session', { name: fields.ownerName }).catch(() => null)
    rememberWelcome()
    await reload()
    choose(made.uuid)
    // Back leads to what was entered, not to another new business.
    go(pathOf('business'), { replace: true })
    go(pathOf('service'))
  }
  return (
    <StepForm onSubmit={submit}>
      <div class="step-grid">
        <NameField label={texts.businessName} hint={texts.businessNameHint} {...bind.value('name')} />
        <SlugField
          value={slug}
          hint={embedTexts.slugHint}
          onInput={typed => change({ slug: typed })}
          error={errorAt('slug')}
        />
        <TextField label={texts.ownerName} required autocomplete="name" {...bind.value('ownerName')} />
        <TextField
          label={texts.ownerEmail}
          hint={texts.ownerEmailHint}
          type="email"
          required
          {...bind.value('ownerEmail')}
        />
        <PhoneField {...bind.value('phone')} />
        <PlaceAndLanguage
          timeZone={fields.timeZone}
          language={fields.language}
          change={change}
          errorAt={errorAt}
        />
        {crms.length > 1 && (
          <SelectField
            label={common.crm}
            value={fields.crm ?? crms[0]!}
            options={crms.map(value => ({ value, label: value }))}
            onChange={crm => change({ crm })}
            error={errorAt('crm')}
          />
        )}
      </div>
    </StepForm>
  )
}

type FieldProps = { value: string; onInput: (value: string) => void; error: string | null }

export const PhoneField = (props: FieldProps) => (
  <TextField label={texts.phone} hint={texts.phoneHint} type="tel" autocomplete="tel" {...props} />
)

type PlaceProps = {
  timeZone: string
  language: Language
  change: (part: { timeZone: string } | { language: Language }) => void
  errorAt: (field: string) => string | null
}

export const PlaceAndLanguage = ({ timeZone, language, change, errorAt }: PlaceProps) => (
  <>
    <ZoneField
      label={texts.timeZone}
      value={timeZone}
      onChange={timeZone => change({ timeZone })}
      error={errorAt('timeZone')}
    />
    <LanguageField
      label={common.emailLanguage}
      value={language}
      onChange={language => change({ language })}
    />
  </>
)

/** CRMs in which an operator can create it; the demo is not one of them. */
function useCrms(): string[] {
  const { me } = useSession()
  const { data } = useLoad(may(me, 'service') ? 'crms' : null, signal => api.get('/crms', { signal }))
  return data?.crms.map(one => one.name).filter(name => name !== 'demo') ?? []
}

// Placeholders, such as the first operator's, are not prefilled: customers would see the name, and
// notifications would go to an unread address.

/** Domains reserved for examples (RFC 2606). */
const reserved = /@(.+\.)?example(\.(com|net|org))?$/i

const isPlaceholder = ({ email }: Me) => reserved.test(email)

/** People invited by address alone have the address as their name, and the first operator is called just that. */
export const ownNameOf = (me: Me) =>
  me.name.includes('@') || (isPlaceholder(me) && me.name === 'Operator') ? '' : me.name

const ownEmailOf = (me: Me) => (isPlaceholder(me) ? '' : me.email)
