import type { Schemas } from '../../records.ts'
import { instant } from '../../time.ts'
import type { WishedTime } from '../appointment/WishSearch.tsx'

export type Plan = Schemas['ConsoleAbsencePreview']
export type Line = Plan['lines'][number]
export type Result = Schemas['AbsenceResult']

/** What happens to one appointment. `other` without a time is still open. */
export type Choice =
  | { kind: 'leave' | 'cancel' }
  | { kind: 'colleague'; resourceUuid: string; resourceName: string }
  | { kind: 'other'; time: WishedTime | null }

export const proposedFor = ({ proposed }: Line): Choice =>
  proposed
    ? { kind: 'colleague', resourceUuid: proposed.uuid, resourceName: proposed.name }
    : { kind: 'leave' }

/** The value of its option. */
export const optionOf = (choice: Choice) => (choice.kind === 'colleague' ? choice.resourceUuid : choice.kind)

export function choiceOf({ standIns }: Line, value: string): Choice {
  const place = standIns.find(one => one.uuid === value)
  if (place) return { kind: 'colleague', resourceUuid: place.uuid, resourceName: place.name }
  return value === 'other' ? { kind: 'other', time: null } : { kind: value === 'cancel' ? 'cancel' : 'leave' }
}

/** Where a move goes; null for everything else. */
export function targetOf({ appointment }: Line, choice: Choice): WishedTime | null {
  if (choice.kind === 'other') return choice.time
  if (choice.kind !== 'colleague') return null
  const { resourceUuid, resourceName } = choice
  return { start: instant(appointment.start), end: instant(appointment.end), resourceUuid, resourceName }
}

export function asSent(line: Line, choice: Choice) {
  const { uuid, start, end } = line.appointment
  const seen = { appointmentUuid: uuid, seenStart: start, seenEnd: end }
  const target = targetOf(line, choice)
  if (!target) return { ...seen, action: choice.kind === 'cancel' ? ('cancel' as const) : ('leave' as const) }
  return {
    ...seen,
    action: 'move' as const,
    resourceUuid: target.resourceUuid,
    start: new Date(target.start).toISOString(),
    end: new Date(target.end).toISOString(),
  }
}
