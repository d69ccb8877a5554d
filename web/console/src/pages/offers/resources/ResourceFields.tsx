import { common } from '../../../common-words.ts'
import type { Resource } from '../../../records.ts'
import { useProvider } from '../../../session.ts'
import { shell } from '../../../shell-words.ts'
import { binder } from '../../../ui/editing/binder.ts'
import { AllOrSome } from '../../../ui/fields/AllOrSome.tsx'
import { SelectField, TextField } from '../../../ui/fields/Field.tsx'
import { closureTexts } from '../closures/closure-words.ts'
import { countryOf, countryOptions } from '../closures/countries.ts'
import { useContacts, useProducts } from '../offers.ts'
import { PictureField } from '../PictureField.tsx'
import { texts } from '../words.ts'
import { resourceTexts } from './resource-words.ts'

export type Fields = Pick<
  Resource,
  | 'publicName'
  | 'internalName'
  | 'description'
  | 'products'
  | 'contact'
  | 'contactProfileReference'
  | 'website'
  | 'address'
  | 'imageUrl'
>

export const fieldLabels = {
  publicName: common.publicName,
  internalName: resourceTexts.internalName,
  description: common.description,
  products: shell.offers,
  contact: resourceTexts.contact,
  contactProfileReference: resourceTexts.profile,
  website: resourceTexts.website,
  address: common.address,
  imageUrl: texts.picture,
  archived: resourceTexts.archived,
}

type Props = {
  fields: Fields
  onChange: (part: Partial<Fields>) => void
  errorAt: (field: string) => string | null
  isNew?: boolean
}

export function ResourceFields({ fields, onChange, errorAt, isNew = false }: Props) {
  const bind = binder(fields, onChange, errorAt)
  return (
    <>
      <TextField
        label={common.publicName}
        hint={resourceTexts.publicNameHint}
        required
        {...bind.value('publicName')}
      />
      <TextField
        label={resourceTexts.internalName}
        {...(isNew ? { hint: resourceTexts.internalNameHint } : {})}
        {...bind.value('internalName')}
      />
      <TextField
        label={common.description}
        hint={texts.descriptionHint}
        rows={3}
        {...bind.text('description')}
      />
      <PictureField {...bind.value('imageUrl')} />
      <ProductChoice chosen={fields.products} onChange={products => onChange({ products })} />
      <ContactChoice fields={fields} onChange={onChange} />
      <AddressFields address={fields.address} onChange={address => onChange({ address })} errorAt={errorAt} />
      <TextField label={resourceTexts.website} type="url" placeholder="https://" {...bind.text('website')} />
    </>
  )
}

/** The API takes an empty list for all: the choice of some begins with all that there are, and keeps one. */
function ProductChoice({ chosen, onChange }: { chosen: string[]; onChange: (chosen: string[]) => void }) {
  const products = useProducts().data?.products ?? []
  if (products.length === 0) return null
  return (
    <AllOrSome
      legend={shell.offers}
      all={resourceTexts.allServices}
      some={resourceTexts.someProducts}
      options={products.map(({ reference, name }) => ({ value: reference, label: name }))}
      chosen={chosen.length > 0 ? chosen : null}
      onChange={next => onChange(next ?? [])}
      first={products.map(one => one.reference)}
    />
  )
}

function ContactChoice({ fields, onChange }: Pick<Props, 'fields' | 'onChange'>) {
  const contacts = useContacts().data
  const people = contacts?.people ?? []
  const profiles = contacts?.profiles.filter(one => one.userReference === fields.contact) ?? []
  return (
    <>
      <SelectField
        label={resourceTexts.contact}
        hint={resourceTexts.contactHint}
        value={fields.contact ?? ''}
        options={[
          { value: '', label: resourceTexts.noContact },
          ...people.map(one => ({ value: one.reference, label: one.name })),
        ]}
        onChange={contact => onChange({ contact: contact || null, contactProfileReference: null })}
      />
      {profiles.length > 0 && (
        <SelectField
          label={resourceTexts.profile}
          value={fields.contactProfileReference ?? ''}
          options={[
            { value: '', label: resourceTexts.generalProfile },
            ...profiles.map(one => ({ value: one.reference, label: one.name })),
          ]}
          onChange={profile => onChange({ contactProfileReference: profile || null })}
        />
      )}
    </>
  )
}

type Address = Resource['address']
type AddressProps = {
  address: Address
  onChange: (address: Address) => void
  errorAt: (field: string) => string | null
}

const parts = [
  ['street', resourceTexts.street, 'address-line1'],
  ['number', resourceTexts.houseNumber, 'address-line2'],
  ['zip', resourceTexts.zip, 'postal-code'],
  ['city', resourceTexts.city, 'address-level2'],
] as const

/** An address with all fields empty is saved as null. */
export function AddressFields({ address, onChange, errorAt }: AddressProps) {
  const { timeZone } = useProvider()
  const current = address ?? { street: '', number: '', zip: '', city: '', countryCode: countryOf(timeZone) }
  const put = (part: object) => {
    const next = { ...current, ...part }
    onChange(parts.every(([name]) => next[name] === '') ? null : next)
  }
  return (
    <fieldset class="stack tight">
      <legend>{common.address}</legend>
      <div class="fields">
        {parts.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            value={current[name]}
            autocomplete="off"
            onInput={text => put({ [name]: text })}
            error={errorAt(`address.${name}`)}
          />
        ))}
        <SelectField
          label={closureTexts.country}
          value={current.countryCode}
          options={countryOptions(current.countryCode)}
          onChange={countryCode => put({ countryCode })}
          error={errorAt('address.countryCode')}
        />
      </div>
    </fieldset>
  )
}
