/** The weekday, the date, and past midnight the time after it. A line without a date is all rest. */
export function splitDate(line: string): [weekday: string, date: string, rest: string] {
  const [_all, weekday = '', date = '', rest = ''] = line.match(/^(\D\S* )(.+?)( \d?\d:\d\d.*)?$/) ?? []
  return date ? [weekday, date, rest] : ['', '', line]
}

/** Breaks after the weekday, and past midnight between date and time, but not within a date. */
export function wholeDate(line: string): string {
  const [weekday, date, rest] = splitDate(line)
  return weekday + date.replaceAll(' ', '\u00a0') + rest
}

/** 'Tue, 17 Nov 2026, 10:00 (Berlin time)' breaks between date, time and zone only. */
export const wholeMoment = (brief: string) =>
  brief.replaceAll(/ (?!\()/g, '\u00a0').replace(/,\u00a0(?=[^,]*$)/, ', ')
