// Makes calendars as programs write them, from a seed, so that a difference between two readers can be looked at again.

export type MadeCalendar = { seed: number; zone: string; traits: string[]; text: string }

/** Small and repeatable; its quality does not matter here. */
function dice(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: <T>(all: readonly T[]): T => all[below(all.length)]!,
    chance: (of: number) => next() < of,
  }
}

/** Clocks that change on other days, by half an hour, at midnight, or not at all. */
export const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'Pacific/Chatham',
  'America/St_Johns',
  'Asia/Tokyo',
  'Europe/London',
]

const windowsNames: Record<string, string> = {
  'Europe/Berlin': 'W. Europe Standard Time',
  'America/New_York': 'Eastern Standard Time',
  'Asia/Tokyo': 'Tokyo Standard Time',
  'Europe/London': 'GMT Standard Time',
}

const two = (number: number) => String(number).padStart(2, '0')

/** Around the changes of clocks in 2026 and 2027, where readers go wrong. */
const dates = [
  '20261017',
  '20261020',
  '20261024',
  '20261025',
  '20261031',
  '20261101',
  '20270306',
  '20270313',
  '20270327',
  '20270328',
  '20270403',
  '20270430',
]

const rules = [
  'FREQ=DAILY;COUNT=20',
  'FREQ=DAILY;INTERVAL=3;COUNT=12',
  'FREQ=WEEKLY;COUNT=10',
  'FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=15',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;WKST=SU;COUNT=9',
  'FREQ=MONTHLY;BYMONTHDAY=31;COUNT=5',
  'FREQ=MONTHLY;BYDAY=-1FR;COUNT=6',
  'FREQ=MONTHLY;BYDAY=2TU;COUNT=6',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=6',
  'FREQ=YEARLY;COUNT=2',
] as const

/** One calendar with a few entries, each with traits that the seed decides. */
export function makeCalendar(seed: number): MadeCalendar {
  const roll = dice(seed)
  const zone = zones[seed % zones.length]!
  const traits: string[] = []
  const entries = Array.from({ length: 1 + roll.below(4) }, (_, index) =>
    entry(`${seed}-${index}@made`, zone, roll, traits),
  )
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${roll.pick(products)}`,
    ...entries.flat(),
    'END:VCALENDAR',
  ]
  return { seed, zone, traits: [...new Set(traits)], text: `${lines.join('\r\n')}\r\n` }
}

const products = [
  '-//Google Inc//Google Calendar 70.9054//EN',
  'Microsoft Exchange Server 2010',
  '-//Apple Inc.//macOS 15.1//EN',
]

/** Whether the rule itself would start on this day. */
function fits(rule: string, date: string): boolean {
  const day = new Date(asUtc(date))
  const name = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][day.getUTCDay()]!
  const [dom, last] = [
    day.getUTCDate(),
    new Date(asUtc(addDays(date, 7))).getUTCMonth() !== day.getUTCMonth(),
  ]
  if (rule.includes('BYSETPOS')) return isLastWorkday(date)
  if (rule.includes('BYMONTHDAY=31')) return dom === 31
  if (rule.includes('-1FR')) return name === 'FR' && last
  if (rule.includes('2TU')) return name === 'TU' && dom > 7 && dom <= 14
  return /BYDAY=([A-Z,]+)/.exec(rule)?.[1]?.split(',').includes(name) ?? true
}

const isWorkday = (date: string) => ![0, 6].includes(new Date(asUtc(date)).getUTCDay())
const monthOf = (date: string) => date.slice(0, 6)

function isLastWorkday(date: string): boolean {
  const later = [1, 2, 3].map(days => addDays(date, days)).filter(one => monthOf(one) === monthOf(date))
  return isWorkday(date) && !later.some(isWorkday)
}

function fitting(rule: string, date: string): string {
  let day = date
  while (!fits(rule, day)) day = addDays(day, 1)
  return day
}

type Roll = ReturnType<typeof dice>

function entry(uid: string, zone: string, roll: Roll, traits: string[]): string[] {
  const note = (trait: string) => void traits.push(trait)
  const rule = roll.pick(rules)
  const isOff = roll.chance(0.08)
  const date = isOff ? roll.pick(dates) : fitting(rule, roll.pick(dates))
  const lines = [`UID:${uid}`, `DTSTAMP:20261001T000000Z`, `SUMMARY:Entry ${uid}`]
  if (roll.chance(0.2)) {
    note('all-day')
    const days = 1 + roll.below(4)
    lines.push(`DTSTART;VALUE=DATE:${date}`, `DTEND;VALUE=DATE:${addDays(date, days)}`)
    if (roll.chance(0.4)) {
      note('all-day-repeated')
      lines.push(`RRULE:${rule}`)
      if (!fits(rule, date)) note('start-off-rule')
    }
    return wrapped(lines, state(roll, note))
  }
  const clock = `${two(roll.below(24))}${roll.pick(['00', '15', '30'])}00`
  const start = `${date}T${clock}`
  const how = roll.below(4)
  const tzid = how === 1 && windowsNames[zone] ? windowsNames[zone] : zone
  if (tzid !== zone) note('windows-zone')
  const time = (name: string, wall: string) =>
    how === 0 ? `${name}:${wall}Z` : `${name};TZID=${tzid}:${wall}`
  if (how === 0) note('utc')
  lines.push(time('DTSTART', start))
  if (roll.chance(0.5)) lines.push(`DURATION:PT${15 * (1 + roll.below(12))}M`)
  else lines.push(time('DTEND', addMinutes(start, 30 * (1 + roll.below(5)))))
  if (roll.chance(0.55)) {
    note('repeated')
    lines.push(`RRULE:${rule}`)
    if (!fits(rule, date)) note('start-off-rule')
    if (roll.chance(0.4)) {
      note('exdate')
      lines.push(time('EXDATE', `${addDays(date, 7)}T${clock}`))
    }
    if (roll.chance(0.08)) {
      note('rdate')
      lines.push(time('RDATE', `${addDays(date, 11)}T${clock}`))
    }
    const state1 = state(roll, note)
    if (roll.chance(0.35)) {
      note('recurrence-id')
      const changed = [
        `UID:${uid}`,
        'DTSTAMP:20261001T000000Z',
        time('RECURRENCE-ID', start),
        time('DTSTART', addMinutes(start, 90)),
        time('DTEND', addMinutes(start, 150)),
        `SUMMARY:Moved ${uid}`,
      ]
      return [...wrapped(lines, state1), ...wrapped(changed, state(roll, note))]
    }
    return wrapped(lines, state1)
  }
  return wrapped(lines, state(roll, note))
}

const states: [trait: string, ...lines: string[]][] = [
  ['transparent', 'TRANSP:TRANSPARENT'],
  ['cancelled', 'STATUS:CANCELLED'],
  ['tentative', 'STATUS:TENTATIVE', 'X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE'],
  ['outlook-free', 'TRANSP:TRANSPARENT', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'],
]

function state(roll: Roll, note: (trait: string) => void): string[] {
  const kind = roll.below(12)
  const [trait, ...lines] = states[kind] ?? []
  if (trait) note(trait)
  return kind >= 4 && kind < 8 ? ['STATUS:CONFIRMED', 'TRANSP:OPAQUE'] : lines
}

const wrapped = (lines: string[], more: string[]) => ['BEGIN:VEVENT', ...lines, ...more, 'END:VEVENT']

const asUtc = (wall: string) =>
  Date.UTC(
    +wall.slice(0, 4),
    +wall.slice(4, 6) - 1,
    +wall.slice(6, 8),
    +wall.slice(9, 11) || 0,
    +wall.slice(11, 13) || 0,
  )
const asWall = (ms: number) => new Date(ms).toISOString().replace(/[-:]/g, '').slice(0, 15)
const addDays = (date: string, days: number) => asWall(asUtc(date) + days * 86_400_000).slice(0, 8)
const addMinutes = (wall: string, minutes: number) => asWall(asUtc(wall) + minutes * 60_000)
