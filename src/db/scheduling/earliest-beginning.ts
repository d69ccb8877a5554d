import sql, { type Sql } from 'sql-template-tag'

/**
 * When the first of those began, at the earliest, that go on at this moment: none lasts longer than the longest block. None begins
 * before 1900 either, and thousands of years before the years that we count PostgreSQL's own end.
 */
export const earliestBeginning = (moment: Date, longestBlock: Sql): Sql => sql`
  ${moment}::timestamptz - least(${longestBlock}, ${moment}::timestamptz - timestamptz '1899-01-01 00:00Z')
`
