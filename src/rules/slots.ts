const minute = 60_000

type Buffers = { lead_minutes: number | null; follow_up_minutes: number | null }

/** The time that an Appointment keeps its Resource from everybody else: its own, with the buffers of its Product. */
export function blockedSpan(start: number, end: number, { lead_minutes, follow_up_minutes }: Buffers) {
  return { from: start - (lead_minutes ?? 0) * minute, to: end + (follow_up_minutes ?? 0) * minute }
}
