import { useEffect, useRef } from 'preact/hooks'
import { common } from '../../common-words.ts'
import { Button } from '../Button.tsx'
import { TextField } from '../fields/Field.tsx'
import { CustomerSearch } from './CustomerSearch.tsx'
import { type CustomerChoice, noChoice, type Picked } from './customer-choice.ts'
import { Duplicates } from './Duplicates.tsx'
import { texts } from './picker-words.ts'

type Props = {
  choice: CustomerChoice
  errorAt?: (field: string) => string | null
  /** It can stay empty: booked without a customer. */
  isOptional?: boolean
}

/** Searches customers while typing and can add a new one. */
export function CustomerPicker({ choice, errorAt = () => null, isOptional = false }: Props) {
  const { picked, pick } = choice
  // Moves the focus after a choice, but not if the customer was preset: then the dialog decides.
  const wasTyping = useRef(false)
  if (picked.kind === 'typing') wasTyping.current = true
  if (picked.kind === 'known')
    return <Chosen customer={picked.customer} isNews={wasTyping.current} onOther={() => pick(noChoice)} />
  if (picked.kind === 'new') return <NewPerson choice={choice} picked={picked} errorAt={errorAt} />
  return <CustomerSearch choice={choice} text={picked.text} isOptional={isOptional} />
}

type ChosenProps = {
  customer: (Picked & { kind: 'known' })['customer']
  isNews: boolean
  onOther: () => void
}

function Chosen({ customer, isNews, onOther }: ChosenProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Not the button: a second Enter must not undo the choice.
    if (isNews) place.current!.focus()
  }, [])
  return (
    <div ref={place} class="row chosen" tabIndex={-1}>
      <p>
        <strong>{customer.name}</strong>{' '}
        <span class="soft">{[customer.email, customer.mobile].filter(Boolean).join(' · ')}</span>
      </p>
      <Button kind="quiet" onClick={onOther}>
        {texts.chooseAnother}
      </Button>
    </div>
  )
}

type NewProps = {
  choice: CustomerChoice
  picked: Picked & { kind: 'new' }
  errorAt: (field: string) => string | null
}

function NewPerson({ choice, picked, errorAt }: NewProps) {
  const { pick, twins: duplicates, allowTwin } = choice
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The name is already filled in.
    place.current!.querySelector<HTMLElement>('input[type=email]')?.focus()
  }, [])
  const change = (part: Partial<typeof picked>) => pick({ ...picked, ...part })
  const error = (field: string) => errorAt(`customer.${field}`)
  return (
    <div ref={place} class="stack">
      <TextField
        label={common.name}
        required
        error={error('name')}
        value={picked.name}
        onInput={name => change({ name })}
      />
      <div class="pair">
        <TextField
          label={common.email}
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
      <Duplicates
        duplicates={duplicates}
        onAdd={allowTwin}
        action={one => (
          <Button kind="main" onClick={() => pick({ kind: 'known', customer: one })}>
            {texts.useCustomer(one.name)}
          </Button>
        )}
      />
      <p>
        <Button kind="quiet" onClick={() => pick({ kind: 'typing', text: picked.name })}>
          {common.back}
        </Button>
      </p>
    </div>
  )
}
