import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Found } from '../../pages/customers/records.ts'
import { Field } from '../fields/Field.tsx'
import type { CustomerChoice } from './customer-choice.ts'
import { texts } from './picker-words.ts'

type Props = { choice: CustomerChoice; text: string; isOptional: boolean }

const mostHits = 6

/**
 * A combobox: Enter takes the first match, arrows move through the matches, and "new customer" comes last.
 */
export function CustomerSearch({ choice: { providerUuid, pick, error }, text, isOptional }: Props) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const wanted = text.trim()
  const found = useLoad(wanted ? `pick-${providerUuid}-${wanted}` : null, signal =>
    api.get(`/providers/${providerUuid}/customers`, { query: { search: wanted, limit: mostHits }, signal }),
  )
  const [active, setActive] = useState(0)
  // Enter was pressed before the results arrived: take the first one then.
  const isWaiting = useRef(false)
  // Keeps the previous results until new ones arrive, so that the list does not flicker.
  const last = useRef<Found[]>([])
  if (found.data) last.current = found.data.customers
  const hits = wanted ? last.current : []

  const take = (index: number) => {
    const customer = hits[index]
    pick(customer ? { kind: 'known', customer } : { kind: 'new', name: wanted, email: '', mobile: '' })
  }
  useEffect(() => box.current!.focus(), [])
  useEffect(() => {
    if (error) box.current!.focus()
  }, [error])
  useEffect(() => {
    if (found.data && isWaiting.current) take(0)
  }, [found.data])

  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing || wanted === '') return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step && event.key !== 'Enter') return
    // Enter chooses and never submits the form: typed text alone selects no customer.
    event.preventDefault()
    if (step) setActive((active + step + hits.length + 1) % (hits.length + 1))
    else if (found.data) take(active)
    else if (!found.problem) isWaiting.current = true
  }

  return (
    <div class="picker">
      <Field label={common.customer} hint={isOptional ? texts.optionalHint : texts.hint} error={error}>
        {ids => (
          <input
            {...ids}
            ref={box}
            type="text"
            role="combobox"
            aria-expanded={wanted !== ''}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            {...(wanted ? { 'aria-activedescendant': `${id}-${active}` } : {})}
            autocomplete="off"
            autofocus
            value={text}
            onInput={event => {
              isWaiting.current = false
              setActive(0)
              pick({ kind: 'typing', text: event.currentTarget.value })
            }}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <p class="visually-hidden" role="status">
        {wanted && found.data ? texts.found(hits.length) : ''}
      </p>
      <div
        id={`${id}-list`}
        class="lines options"
        role="listbox"
        aria-label={texts.suggestions}
        hidden={wanted === ''}
      >
        {[...hits, null].map((customer, index) => (
          <button
            key={customer?.uuid ?? 'new'}
            id={`${id}-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // Keeps the focus in the box and still allows scrolling by touch.
            onMouseDown={event => event.preventDefault()}
            onClick={() => take(index)}
          >
            {customer ? (
              <>
                {customer.name} <span class="soft">{customer.email ?? customer.mobile ?? ''}</span>
              </>
            ) : (
              <span class="add-new">+ {texts.addNew(wanted)}</span>
            )}
          </button>
        ))}
      </div>
    </div>
  )
}
