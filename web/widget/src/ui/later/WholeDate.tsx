import { splitDate } from '#shared/whole-date.ts'

/** Breaks after the weekday first, and within the date only where it is wider than the screen. */
export function WholeDate({ line }: { line: string }) {
  const [weekday, date] = splitDate(line)
  return (
    <>
      {weekday}
      <span class="whole">{date}</span>
    </>
  )
}
