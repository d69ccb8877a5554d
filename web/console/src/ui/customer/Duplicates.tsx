import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import type { Schemas } from '../../records.ts'
import { Button } from '../Button.tsx'
import { texts } from './picker-words.ts'

export type Duplicate = Schemas['CustomerMatch']
type NewFields = { name: string; email?: string | null; mobile?: string | null }

/**
 * Before a customer is added, asks once whether they are an existing one with the same name, email or number.
 */
export function useDuplicates(providerUuid: string) {
  const [duplicates, set] = useState<Duplicate[]>([])
  const isAllowed = useRef(false)
  // If the answer to a save is lost, a second search would find the customer that the first save added.
  const unique = useRef<string | null>(null)
  const forget = () => {
    isAllowed.current = false
    set([])
  }
  /** True if there is no possible duplicate. */
  async function mayAdd({ name, email, mobile }: NewFields): Promise<boolean> {
    if (isAllowed.current) return true
    const query = { name, ...(email ? { email } : {}), ...(mobile ? { mobile } : {}) }
    const searched = JSON.stringify(query)
    if (unique.current === searched) return true
    const { customers } = await api.get(`/providers/${providerUuid}/customer-matches`, { query })
    set(customers)
    unique.current = customers.length === 0 ? searched : null
    return customers.length === 0
  }
  const allow = () => {
    isAllowed.current = true
  }
  return { twins: duplicates, mayAdd, allow, forget }
}

type Props = {
  duplicates: Duplicate[]
  onAdd: () => void
  action: (duplicate: Duplicate) => ComponentChildren
}

/** Inside the form, because "Add anyway" submits it. */
export function Duplicates({ duplicates, onAdd, action }: Props) {
  const place = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (duplicates.length > 0) place.current?.querySelector<HTMLElement>('button, a')?.focus()
  }, [duplicates])
  if (duplicates.length === 0) return null
  return (
    <fieldset ref={place} class="twins">
      <legend>{texts.mayAlreadyExist}</legend>
      <ul class="lines">
        {duplicates.map(one => (
          <li key={one.uuid}>
            <span>
              <strong>{one.name}</strong>{' '}
              <span class="soft">{[one.email, one.mobile, sameIn(one)].filter(Boolean).join(' · ')}</span>
            </span>
            {action(one)}
          </li>
        ))}
      </ul>
      <p>
        <Button type="submit" onClick={onAdd}>
          {texts.addAnyway}
        </Button>
      </p>
    </fieldset>
  )
}

const same = { name: texts.sameName, email: texts.sameEmail, mobile: texts.sameMobile }
const sameIn = (duplicate: Duplicate) => duplicate.same.map(one => same[one]).join(', ')
