import sql, { type Sql } from 'sql-template-tag'

/**
 * The earliest possible start of an Appointment that is still running at this moment, given the longest
 * block. Limited to 1899, because no Appointment starts earlier and PostgreSQL's range of timestamps is
 * finite.
 */
export const earliestStart = (moment: Date, longestBlock: Sql): Sql => sql`
  ${moment}::timestamptz - least(${longestBlock}, ${moment}::timestamptz - timestamptz '1899-01-01 00:00Z')
`
