import { addDays } from '#shared/dates.ts'
import { type Band, bandsOf, type Rule, rulesOf } from './week.ts'

// Hours that change on a date, or from week to week: which rules the editor shows, and where they go back.

/** Days inclusive; the first period has no start, the last no end. */
export type Period = { from: string | null; until: string | null }

/** The present hours, and one period for each day from which they change. */
export function periodsOf(rules: Rule[], today: string, extra: string | null): Period[] {
  const ends = rules.map(rule => rule.validUntil && addDays(rule.validUntil, 1))
  const starts = [...new Set([...rules.map(rule => rule.validFrom), ...ends, extra])]
    .filter(day => day !== null && day > today)
    .sort() as string[]
  return [null, ...starts].map((from, index) => ({
    from,
    until: starts[index] ? addDays(starts[index], -1) : null,
  }))
}

/** No rule starts or ends within a period, so one day tells for all. */
const isValid = ({ validFrom, validUntil }: Rule, day: string) =>
  (validFrom ?? day) <= day && (validUntil ?? day) >= day

/** Whether a rule applies in the week of this Monday. */
const isInWeek = ({ everyWeeks, weekOf }: Rule, monday: string | null) =>
  everyWeeks === 1 ||
  monday === null ||
  ((Date.parse(weekOf!) - Date.parse(monday)) / (7 * 86_400_000)) % 2 === 0

/** Without a Monday, of all weeks. */
export const bandsIn = (rules: Rule[], period: Period, today: string, monday: string | null): Band[] =>
  bandsOf(rules.filter(rule => isValid(rule, period.from ?? today) && isInWeek(rule, monday))).map(plain)

export const isAlternating = (rules: Rule[], period: Period, today: string) =>
  rules.some(rule => rule.everyWeeks === 2 && isValid(rule, period.from ?? today))

const plain = (band: Band): Band => ({
  ...band,
  validFrom: null,
  validUntil: null,
  everyWeeks: 1,
  weekOf: null,
})

/** The rules with these hours in one period, the same in all weeks or different in two. */
export function rulesWith(rules: Rule[], period: Period, today: string, weeks: Week[]): Rule[] {
  const day = period.from ?? today
  const outside = rules.flatMap(rule => (isValid(rule, day) ? partsOutside(rule, period) : [rule]))
  const kept = new Set(outside.map(rule => rule.uuid))
  const inside = rulesOf(combined(weeks)).map(rule => ({
    ...rule,
    uuid: kept.has(rule.uuid) ? null : rule.uuid,
    validFrom: period.from,
    validUntil: period.until,
  }))
  return joined([...outside, ...inside])
}

/** One of two alternating weeks, or the only one. */
export type Week = { monday: string | null; bands: Band[] }

/** Hours that both weeks have are those of every week. */
function combined([one, other]: Week[]): Band[] {
  if (!other) return one!.bands.map(plain)
  const own = ({ monday, bands }: Week, rivals: Band[]) =>
    bands
      .filter(band => !rivals.some(rival => isSame(band, rival)))
      .map(band => ({ ...band, everyWeeks: 2, weekOf: monday }))
  const shared = one!.bands.filter(band => other.bands.some(rival => isSame(band, rival)))
  return [...shared.map(plain), ...own(one!, other.bands), ...own(other, one!.bands)]
}

const isSame = (one: Band, other: Band) => textOf({ ...one, uuid: null }) === textOf({ ...other, uuid: null })
const textOf = (value: object) => JSON.stringify(value, Object.keys(value).sort())

/** These rules until a day, and others from it on. */
export function rulesUntil(rules: Rule[], day: string, others: Rule[]): Rule[] {
  const before = rules
    .filter(rule => (rule.validFrom ?? '') < day)
    .map(rule => ((rule.validUntil ?? day) >= day ? { ...rule, validUntil: addDays(day, -1) } : rule))
  const after = others
    .filter(rule => (rule.validUntil ?? day) >= day)
    .map(rule => ({ ...rule, uuid: null, validFrom: (rule.validFrom ?? '') > day ? rule.validFrom : day }))
  return [...before, ...after]
}

/** A colleague's rules in one period; the other periods stay. */
export function copiedInto(rules: Rule[], { from, until }: Period, theirs: Rule[]): Rule[] {
  const copied = theirs.map(rule => ({ ...rule, uuid: null }))
  const begun = from ? rulesUntil(rules, from, copied) : copied
  return until ? rulesUntil(begun, addDays(until, 1), rules) : begun
}

function partsOutside(rule: Rule, { from, until }: Period): Rule[] {
  const before = from !== null && (rule.validFrom ?? '') < from
  const after = until !== null && (rule.validUntil ?? '9999') > until
  return [
    ...(before ? [{ ...rule, validUntil: addDays(from, -1) }] : []),
    ...(after ? [{ ...rule, uuid: before ? null : rule.uuid, validFrom: addDays(until, 1) }] : []),
  ]
}

/** One rule instead of two that are equal and follow each other. */
function joined(rules: Rule[]): Rule[] {
  const done: Rule[] = []
  for (const rule of rules.toSorted((one, other) => compare(one.validFrom, other.validFrom))) {
    const before = done.find(
      one =>
        one.validUntil !== null &&
        addDays(one.validUntil, 1) === rule.validFrom &&
        textOf({ ...one, ...timeless }) === textOf({ ...rule, ...timeless }),
    )
    if (before) before.validUntil = rule.validUntil
    else done.push({ ...rule })
  }
  return done
}

const timeless = { uuid: null, validFrom: null, validUntil: null }
const compare = (one: string | null, other: string | null) => (one ?? '').localeCompare(other ?? '')
