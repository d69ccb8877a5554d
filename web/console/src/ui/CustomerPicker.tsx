import { api } from '../api.ts'
import { common } from '../common-words.ts'
import { useLoad } from '../load.ts'
import type { Found } from '../pages/customers/records.ts'
import type { Schemas } from '../records.ts'
import { words } from '../words.ts'
import { Button } from './Button.tsx'
import { TextField } from './Field.tsx'

const texts = words({
  en: {
    who: 'Customer',
    hint: 'Name, email or number. Leave it empty to book for nobody yet.',
    isNew: (name: string) => `New: ${name}`,
    name: 'Name',
    email: 'Email',
    mobile: 'Mobile',
    other: 'Somebody else',
  },
  de: {
    who: 'Kunde',
    hint: 'Name, E-Mail oder Nummer. Leer lassen, um noch für niemanden zu buchen.',
    isNew: (name: string) => `Neu: ${name}`,
    name: 'Name',
    email: 'E-Mail',
    mobile: 'Mobilnummer',
    other: 'Jemand anderes',
  },
  fr: {
    who: 'Client',
    hint: 'Nom, e-mail ou numéro. Laissez vide pour réserver sans personne.',
    isNew: (name: string) => `Nouveau : ${name}`,
    name: 'Nom',
    email: 'E-mail',
    mobile: 'Mobile',
    other: 'Quelqu’un d’autre',
  },
  es: {
    who: 'Cliente',
    hint: 'Nombre, correo o número. Déjelo vacío para reservar sin nadie todavía.',
    isNew: (name: string) => `Nuevo: ${name}`,
    name: 'Nombre',
    email: 'Correo',
    mobile: 'Móvil',
    other: 'Otra persona',
  },
  it: {
    who: 'Cliente',
    hint: 'Nome, e-mail o numero. Lasciare vuoto per prenotare senza nessuno.',
    isNew: (name: string) => `Nuovo: ${name}`,
    name: 'Nome',
    email: 'E-mail',
    mobile: 'Cellulare',
    other: 'Qualcun altro',
  },
})

export type Picked =
  | { kind: 'typing'; text: string }
  | { kind: 'known'; customer: Found }
  | { kind: 'new'; name: string; email: string; mobile: string }

export const nobody: Picked = { kind: 'typing', text: '' }

/** As the API takes it: somebody known, somebody new, or nobody. What was typed and not chosen is somebody new. */
export function sentAs(picked: Picked): Pick<Schemas['NewParticipant'], 'customerUuid' | 'customer'> {
  if (picked.kind === 'known') return { customerUuid: picked.customer.uuid }
  if (picked.kind === 'typing') return picked.text.trim() ? { customer: { name: picked.text.trim() } } : {}
  const { name, email, mobile } = picked
  return { customer: { name, email: email || null, mobile: mobile || null } }
}

export const canBeTold = (picked: Picked) =>
  picked.kind === 'known' ? picked.customer.email !== null : picked.kind === 'new' && picked.email !== ''

type Props = {
  providerUuid: string
  picked: Picked
  onPick: (picked: Picked) => void
  errorAt?: (field: string) => string | null
}

/** Found while typing; who is not there yet is made on the way. */
export function CustomerPicker({ providerUuid, picked, onPick, errorAt = () => null }: Props) {
  if (picked.kind === 'known')
    return (
      <div class="row">
        <p>
          <strong>{picked.customer.name}</strong>{' '}
          <span class="soft">
            {[picked.customer.email, picked.customer.mobile].filter(Boolean).join(' · ')}
          </span>
        </p>
        <Button kind="quiet" onClick={() => onPick(nobody)}>
          {texts.other}
        </Button>
      </div>
    )
  if (picked.kind === 'new') return <NewPerson picked={picked} onPick={onPick} errorAt={errorAt} />
  return <Search providerUuid={providerUuid} text={picked.text} onPick={onPick} />
}

function Search({ providerUuid, text, onPick }: Pick<Props, 'providerUuid' | 'onPick'> & { text: string }) {
  const wanted = text.trim()
  const found = useLoad(wanted.length > 1 ? `pick-${providerUuid}-${wanted}` : null, signal =>
    api.get(`/providers/${providerUuid}/customers`, { query: { search: wanted }, signal }),
  )
  return (
    <div class="picker">
      <TextField
        label={texts.who}
        hint={texts.hint}
        type="search"
        autocomplete="off"
        autofocus
        value={text}
        onInput={next => onPick({ kind: 'typing', text: next })}
      />
      {wanted !== '' && (
        <ul class="lines">
          {found.data?.customers.slice(0, 6).map(customer => (
            <li key={customer.uuid}>
              <Button kind="quiet" onClick={() => onPick({ kind: 'known', customer })}>
                {customer.name} <span class="soft">{customer.email ?? customer.mobile ?? ''}</span>
              </Button>
            </li>
          ))}
          <li>
            <Button kind="quiet" onClick={() => onPick({ kind: 'new', name: wanted, email: '', mobile: '' })}>
              {texts.isNew(wanted)}
            </Button>
          </li>
        </ul>
      )}
    </div>
  )
}

type NewProps = {
  picked: Picked & { kind: 'new' }
  onPick: Props['onPick']
  errorAt: (field: string) => string | null
}

function NewPerson({ picked, onPick, errorAt }: NewProps) {
  const change = (part: Partial<typeof picked>) => onPick({ ...picked, ...part })
  const error = (field: string) => errorAt(`customer.${field}`)
  return (
    <div class="stack">
      <TextField
        label={texts.name}
        required
        error={error('name')}
        value={picked.name}
        onInput={name => change({ name })}
      />
      <div class="pair">
        <TextField
          label={texts.email}
          type="email"
          error={error('email')}
          value={picked.email}
          onInput={email => change({ email })}
        />
        <TextField
          label={texts.mobile}
          type="tel"
          error={error('mobile')}
          value={picked.mobile}
          onInput={mobile => change({ mobile })}
        />
      </div>
      <p>
        <Button kind="quiet" onClick={() => onPick(nobody)}>
          {common.back}
        </Button>
      </p>
    </div>
  )
}
