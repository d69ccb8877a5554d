/** Breaks after the weekday, and past midnight between date and time, but not within a date. */
export const wholeDate = (line: string): string =>
  line.replace(
    /^(\S+ )(.+?)(?= \d?\d:\d\d|$)/,
    (_all, weekday: string, date: string) => weekday + date.replaceAll(' ', '\u00a0'),
  )
