import type { Resource } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { CheckField, SelectField, TextField } from '../../ui/Field.tsx'
import { closureTexts } from './closures/closure-words.ts'
import { countryOf, countryOptions } from './closures/countries.ts'
import { useContacts, useProducts } from './offers.ts'
import { resourceTexts } from './resource-words.ts'
import { texts } from './words.ts'

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
>

export const fieldLabels = {
  publicName: resourceTexts.publicName,
  internalName: resourceTexts.internalName,
  description: texts.description,
  products: texts.products,
  contact: resourceTexts.contact,
  contactProfileReference: resourceTexts.profile,
  website: resourceTexts.website,
  address: resourceTexts.address,
  archived: resourceTexts.archived,
}

type Props = {
  fields: Fields
  onChange: (part: Partial<Fields>) => void
  errorAt: (field: string) => string | null
  isNew?: boolean
}

export function ResourceFields({ fields, onChange, errorAt, isNew = false }: Props) {
  return (
    <>
      <TextField
        label={resourceTexts.publicName}
        hint={resourceTexts.publicNameHint}
        required
        value={fields.publicName}
        onInput={publicName => onChange({ publicName })}
        error={errorAt('publicName')}
      />
      <TextField
        label={resourceTexts.internalName}
        {...(isNew ? { hint: resourceTexts.internalNameHint } : {})}
        value={fields.internalName}
        onInput={internalName => onChange({ internalName })}
        error={errorAt('internalName')}
      />
      <TextField
        label={texts.description}
        hint={texts.descriptionHint}
        rows={3}
        value={fields.description ?? ''}
        onInput={text => onChange({ description: text || null })}
        error={errorAt('description')}
      />
      <ProductChoice chosen={fields.products} onChange={products => onChange({ products })} />
      <ContactChoice fields={fields} onChange={onChange} />
      <AddressFields address={fields.address} onChange={address => onChange({ address })} errorAt={errorAt} />
      <TextField
        label={resourceTexts.website}
        type="url"
        placeholder="https://"
        value={fields.website ?? ''}
        onInput={text => onChange({ website: text || null })}
        error={errorAt('website')}
      />
    </>
  )
}

/** An empty choice means all Products, including future ones. */
function ProductChoice({ chosen, onChange }: { chosen: string[]; onChange: (chosen: string[]) => void }) {
  const products = useProducts().data?.products ?? []
  if (products.length === 0) return null
  return (
    <fieldset class="stack tight">
      <legend>{texts.products}</legend>
      <p class="soft">{resourceTexts.productsHint}</p>
      {products.map(({ uuid, reference, name }) => (
        <CheckField
          key={uuid}
          label={name}
          checked={chosen.includes(reference)}
          onChange={isOn => onChange(isOn ? [...chosen, reference] : chosen.filter(one => one !== reference))}
        />
      ))}
    </fieldset>
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
      <legend>{resourceTexts.address}</legend>
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
