import { api } from '../../api.ts'
import type { ListedResource, OpeningRule, Product } from '../../records.ts'
import { HoursEditor } from '../offers/hours/HoursEditor.tsx'
import { useTeamHours } from '../offers/offers.ts'
import { StepForm } from './StepForm.tsx'

type Props = { team: ListedResource[]; services: Product[]; onDone: () => Promise<void> }

/** One week for the whole team. */
export function FirstHours({ team, services, onDone }: Props) {
  const { others } = useTeamHours()
  const first = team.find(one => !one.hasTimes) ?? team[0]!
  const hasTimes = (uuid: string) => team.some(one => one.uuid === uuid && one.hasTimes)
  /** Those who had the same hours; people with hours of their own keep them. */
  const share = async (before: OpeningRule[]) => {
    const alike = others(first.uuid).filter(({ uuid, hours: { rules } }) =>
      rules.length === 0 ? !hasTimes(uuid) : inShort(rules) === inShort(before),
    )
    await copyHours(
      first.uuid,
      alike.map(one => one.uuid),
    )
    await onDone()
  }
  return (
    <HoursEditor
      key={first.uuid}
      uuid={first.uuid}
      brief={{
        raster: slotLengthFor(services.map(one => one.minDuration)),
        inForm: (content, submit) => <StepForm onSubmit={submit}>{content}</StepForm>,
      }}
      onSaved={share}
    />
  )
}

const inShort = (rules: OpeningRule[]) =>
  rules
    .map(({ uuid: _, ...rule }) => JSON.stringify(rule))
    .sort()
    .join()

async function copyHours(from: string, others: string[]) {
  if (others.length === 0) return
  const { rules, hoursWeeks } = await api.get(`/resources/${from}/hours`)
  const copies = rules.map(({ uuid: _, ...rule }) => ({ ...rule, weekdays: rule.weekdays.map(Number) }))
  for (const uuid of others) await api.put(`/resources/${uuid}/hours`, { rules: copies, hoursWeeks })
}

const shortestSlot = 5

/** The longest slots, in minutes, of which every service takes a whole number. */
export const slotLengthFor = (durations: (number | null)[]): number =>
  Math.max(shortestSlot, durations.filter(one => one !== null).reduce(commonDivisor, 0) || 30)

const commonDivisor = (one: number, other: number): number =>
  other === 0 ? one : commonDivisor(other, one % other)
