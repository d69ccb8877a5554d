import { useState } from 'preact/hooks'
import { Problem } from '../../api.ts'
import type { Found } from '../../pages/customers/records.ts'
import type { Schemas } from '../../records.ts'
import { showProblem } from '../toasts.tsx'
import { useDuplicates } from './Duplicates.tsx'
import { texts } from './picker-words.ts'

export type Known = Pick<Found, 'uuid' | 'name' | 'email' | 'mobile'>

export type Picked =
  | { kind: 'typing'; text: string }
  | { kind: 'known'; customer: Known }
  | { kind: 'new'; name: string; email: string; mobile: string }

export const noChoice: Picked = { kind: 'typing', text: '' }

/** Something was typed or chosen. */
export const isEntered = (picked: Picked | undefined) =>
  picked !== undefined && (picked.kind !== 'typing' || picked.text.trim() !== '')

type Sent = Pick<Schemas['NewParticipant'], 'customerUuid' | 'customer'>

export type CustomerChoice = ReturnType<typeof useCustomerChoice>

/**
 * The customer of an Appointment. Typed text alone selects no customer; a new one is always an explicit
 * choice, and possible duplicates are confirmed once.
 */
export function useCustomerChoice(providerUuid: string, first: Picked = noChoice) {
  const [picked, set] = useState(first)
  const [error, setError] = useState<string | null>(null)
  const { twins: duplicates, mayAdd, allow, forget } = useDuplicates(providerUuid)
  const pick = (next: Picked) => {
    set(next)
    setError(null)
    forget()
  }
  /** The choice as the API takes it, or null if a question has to be answered first. */
  async function settle({ isRequired = false } = {}): Promise<Sent | null> {
    if (picked.kind === 'known') return { customerUuid: picked.customer.uuid }
    if (picked.kind === 'new') {
      const { name, email, mobile } = picked
      const isFine = await mayAdd(picked).catch(error => {
        if (!(error instanceof Problem)) throw error
        showProblem(error)
        return false
      })
      return isFine ? { customer: { name, email: email || null, mobile: mobile || null } } : null
    }
    const text = picked.text.trim()
    if (text === '' && !isRequired) return {}
    setError(text === '' ? texts.required : texts.choose(text))
    return null
  }
  const isChosen = picked.kind !== 'typing'
  const isEmpty = picked.kind === 'typing' && picked.text.trim() === ''
  const canBeNotified =
    picked.kind === 'known' ? picked.customer.email !== null : picked.kind === 'new' && picked.email !== ''
  return {
    providerUuid,
    picked,
    pick,
    error,
    settle,
    isChosen,
    isEmpty,
    canBeTold: canBeNotified,
    twins: duplicates,
    allowTwin: allow,
  }
}
