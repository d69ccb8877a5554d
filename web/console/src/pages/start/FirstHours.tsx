import { useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import type { ListedResource, OpeningRule, Product, Schemas } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { HoursEditor } from '../offers/hours/HoursEditor.tsx'
import type { HoursBody } from '../offers/hours/StrandedDialog.tsx'
import { StepForm } from './StepForm.tsx'

type Hours = Schemas['OpeningHoursOfResource']
type Props = { team: ListedResource[]; services: Product[]; onDone: () => Promise<void> }

/** One week for the whole team. */
export function FirstHours({ team, services, onDone }: Props) {
  const provider = useProvider()
  const { run } = useSubmit()
  const raster = slotLengthFor(services.map(one => one.minDuration))
  // Chosen once: the team may be read again after a failure, when this person has hours already.
  const [first] = useState(() => (team.find(one => !one.hasTimes) ?? team[0]!).uuid)
  // After a failure, those who did not get the new hours still have former ones.
  const former = useRef<string[]>([])
  /** With those who had the same hours; people with hours of their own keep them. */
  const share = async (before: OpeningRule[]) => {
    former.current.push(inShort(before))
    const isAlike = ({ resourceUuid, rules }: Hours) => {
      const member = team.find(one => one.uuid === resourceUuid)
      if (!member) return false
      return rules.length === 0 ? !member.hasTimes : former.current.includes(inShort(rules))
    }
    const isDone = await run(async () => {
      await shareHours(provider.uuid, first, isAlike, raster)
      return true
    })
    if (isDone) await onDone()
  }
  return (
    <HoursEditor
      uuid={first}
      brief={{
        raster,
        inForm: (content, submit) => <StepForm onSubmit={submit}>{content}</StepForm>,
        onSaved: share,
      }}
    />
  )
}

const inShort = (rules: OpeningRule[]) =>
  rules
    .map(({ uuid: _, ...rule }) => JSON.stringify(rule))
    .sort()
    .join()

/** The most that are saved in one call. */
const most = 100

/** As they are now, not as they were when the step was opened. The services may have changed since they were set. */
async function shareHours(provider: string, from: string, isFor: (one: Hours) => boolean, raster: number) {
  const path = `/providers/${provider}/hours` as const
  const { resources } = await api.get(path)
  const own = resources.find(one => one.resourceUuid === from)!
  const rules = own.rules.map(rule => (isFitting(rule, raster) ? rule : { ...rule, raster }))
  const copies = rules.map(({ uuid: _, ...rule }) => rule)
  const changes = resources
    .filter(one => (one === own || isFor(one)) && inShort(one.rules) !== inShort(rules))
    .map(one => ({ ...one, hoursWeeks: own.hoursWeeks, rules: one === own ? rules : copies }) as HoursBody)
  for (let at = 0; at < changes.length; at += most)
    await api.put(path, { resources: changes.slice(at, at + most) })
}

/** Hours for several at a time, or for some weeks only, were not made by the setup: their slots were chosen. */
const isFitting = (rule: OpeningRule, raster: number) =>
  raster % rule.raster === 0 || rule.capacity !== 1 || rule.everyWeeks !== 1 || rule.validFrom !== null

const shortestSlot = 5

/** The longest slots, in minutes, of which every service takes a whole number. */
const slotLengthFor = (durations: (number | null)[]): number =>
  Math.max(shortestSlot, durations.filter(one => one !== null).reduce(commonDivisor, 0) || 30)

const commonDivisor = (one: number, other: number): number =>
  other === 0 ? one : commonDivisor(other, one % other)
