/** What the mail library tells about a delivery that failed. */
type Failure = { responseCode?: number; command?: string; response?: string }

// Policies (5.7.x) are about who we are, not about this mail: somebody may forget a login or a name in the DNS and mend it.
const aboutUs = /^\d{3}[ -]5\.7\./

const isAboutThisMail = ({ command }: Failure) => command === 'RCPT TO' || command === 'DATA'

/** This recipient or this mail is refused, and asking again will not change that. */
export function isRefusedForGood(error: unknown): boolean {
  const failure = error as Failure
  const code = failure.responseCode ?? 0
  if (!isAboutThisMail(failure) || aboutUs.test(failure.response ?? '')) return false
  return code >= 550 && code <= 556
}

/** The server takes nothing from us, whatever it is: away, full, or it does not know us. */
export const isMailOutage = (error: unknown): boolean =>
  !isAboutThisMail(error as Failure) || ((error as Failure).responseCode ?? 421) === 421
