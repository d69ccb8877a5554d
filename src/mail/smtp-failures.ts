/** The error details of the mail library. */
type Failure = { responseCode?: number; command?: string; response?: string }

// Policy errors (5.7.x) are about the sender, not this email: a missing login or DNS record can be fixed.
const aboutUs = /^\d{3}[ -]5\.7\./

const isAboutThisMail = ({ command }: Failure) => command === 'RCPT TO' || command === 'DATA'

/** The recipient or this email is refused, and a retry will not change that. */
export function isPermanentRefusal(error: unknown): boolean {
  const failure = error as Failure
  const code = failure.responseCode ?? 0
  if (!isAboutThisMail(failure) || aboutUs.test(failure.response ?? '')) return false
  return code >= 550 && code <= 556
}

/** The server accepts no email at all: it is unreachable, full, or rejects our login. */
export const isMailOutage = (error: unknown): boolean =>
  !isAboutThisMail(error as Failure) || ((error as Failure).responseCode ?? 421) === 421
