/** Why a calendar could not be read. The console and the API explain each code in words. */
export const problems = {
  address: 'The address cannot be used.',
  connection: 'The calendar server cannot be reached.',
  certificate: 'The certificate of the calendar server is not valid.',
  slow: 'The calendar server did not answer in time.',
  login: 'The calendar server refused the user name or password.',
  forbidden: 'The calendar server does not allow access to this calendar.',
  missing: 'The calendar does not exist at this address.',
  gone: 'The calendar server says that the calendar was removed.',
  busy: 'The calendar server asked to be called less often.',
  server: 'The calendar server reported an error.',
  redirects: 'The address redirects too often.',
  size: 'The calendar is larger than 10 MB.',
  format: 'The answer is not a calendar.',
  incomplete: 'The answer is incomplete.',
  many: 'The calendar has more than 20,000 busy times.',
  repeats: 'The calendar repeats too often to be read.',
  calendars: 'No calendar was found at this address.',
  refused: 'The calendar server refused to store a booking.',
  unexpected: 'Something went wrong on our side.',
  key: 'The stored address cannot be decrypted with this SECRET_KEY.',
} as const

export type ProblemCode = keyof typeof problems

export class CalendarProblem extends Error {
  code: ProblemCode
  /** The server asked to wait this long. */
  retryAfterSeconds: number | null

  constructor(code: ProblemCode, detail: string | null = null, retryAfterSeconds: number | null = null) {
    super(detail ? `${problems[code]} ${detail}` : problems[code])
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Any other error is a mistake of ours; the log has its details. */
export const asProblem = (error: unknown): CalendarProblem =>
  error instanceof CalendarProblem ? error : new CalendarProblem('unexpected')
