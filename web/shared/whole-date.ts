/** The weekday, the date, and past midnight the time after it. */
export function splitDate(line: string): [weekday: string, date: string, rest: string] {
  const [, weekday = '', date = line, rest = ''] = line.match(/^(\S+ )(.+?)( \d?\d:\d\d.*)?$/) ?? []
  return [weekday, date, rest]
}

/** Breaks after the weekday, and past midnight between date and time, but not within a date. */
export function wholeDate(line: string): string {
  const [weekday, date, rest] = splitDate(line)
  return weekday + date.replaceAll(' ', '\u00a0') + rest
}
