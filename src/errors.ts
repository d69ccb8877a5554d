// Every error that the service returns. Actions throw a Refusal; src/http/wire decides how it is sent.

export const errorCodes = [
  'missing-field',
  'missing-answer',
  'invalid-field',
  'invalid-json',
  'duplicate-reference',
  'missing-key',
  'invalid-key',
  'login-required',
  'login-failed',
  'code-required',
  'wrong-crm',
  'scope',
  'not-found',
  'unknown-branch',
  'invalid-reference',
  'invalid-token',
  'method-not-allowed',
  'cursor-expired',
  'moved',
  'customer-merged',
  'undo-expired',
  'email-exists',
  'username-exists',
  'reference-exists',
  'owner',
  'future-appointments',
  'only-product',
  'in-use',
  'question-in-use',
  'active-appointment',
  'capacity-exceeded',
  'conflict',
  'transition-not-allowed',
  'appointment-cancelled',
  'already-participates',
  'same-person',
  'merge-conflict',
  'import-state',
  'in-progress',
  'changed',
  'idempotency-mismatch',
  'channel-hidden',
  'not-invited',
  'change-notice',
  'precondition-failed',
  '201',
  '202',
  'too-large',
  'media-type',
  'too-many-requests',
  'internal',
  'unavailable',
  'suspended',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** What is wrong with a field, for programs that word errors in another language. */
export const brokenRules = [
  'min',
  'max',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'email',
  'https-address',
  'web-address',
  'whole-number',
  'after-start',
  'date',
  'time',
  'known-name',
  'future',
] as const

type BrokenRule = { rule?: (typeof brokenRules)[number]; limit?: number }

type Extra = BrokenRule & {
  field?: string
  retryAfterSeconds?: number
  allow?: string[]
  reason?: string
  location?: string
  reference?: string
}

export class Refusal extends Error {
  code: ErrorCode
  field: string | undefined
  broken: BrokenRule
  retryAfterSeconds: number | undefined
  /** Distinguishes the reasons behind one code, for metrics. */
  reason: string | undefined
  /** Methods that the path supports. */
  allow: string[] | undefined
  /** Address of the installation that serves the CRM now. */
  location: string | undefined
  /** The record to use instead. */
  reference: string | undefined
  /** Further errors in the same request. */
  others: Refusal[] = []

  constructor(code: ErrorCode, message: string, extra: Extra = {}) {
    super(message)
    this.code = code
    this.field = extra.field
    this.broken = {
      ...(extra.rule && { rule: extra.rule }),
      ...(extra.limit !== undefined && { limit: extra.limit }),
    }
    this.retryAfterSeconds = extra.retryAfterSeconds
    this.allow = extra.allow
    this.reason = extra.reason
    this.location = extra.location
    this.reference = extra.reference
  }
}

/** Reports several errors in one response; the first decides the status. */
export function combineRefusals(refusals: [Refusal, ...Refusal[]]): Refusal {
  const [first, ...others] = refusals.flatMap(one => [one, ...one.others])
  first!.others = others.slice(0, maxErrors - 1)
  return first!
}

const maxErrors = 20

/** Runs the work for every item and throws all refusals together. */
export function mapCollectingRefusals<T, R>(items: T[], work: (item: T, index: number) => R): R[] {
  const refused: Refusal[] = []
  const done: R[] = []
  for (const [index, item] of items.entries())
    try {
      done.push(work(item, index))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push(error)
    }
  if (refused.length > 0) throw combineRefusals(refused as [Refusal, ...Refusal[]])
  return done
}

export const missingField = (field: string, message = `${field} is required and must not be empty.`) =>
  new Refusal('missing-field', message, { field })

export const termsNotAccepted = () =>
  missingField('agbs', 'The Provider’s terms must be accepted: send agbs with the value true.')

export const invalidField = (field: string, message: string, broken: BrokenRule = {}) =>
  new Refusal('invalid-field', message, { field, ...broken })

/** The end of a period must come after its start. */
export const notAfterStart = (field: string, start: string) =>
  invalidField(field, `${field} must be after ${start}.`, { rule: 'after-start' })

export const invalidJson = (message: string) => new Refusal('invalid-json', message)

export const duplicateReference = (noun: string, reference: string) =>
  new Refusal(
    'duplicate-reference',
    `A ${noun} with the reference ${reference} already exists. Send onDuplicateRaise=false to update it.`,
    { field: 'reference' },
  )

export const repeatedReference = (field: string, reference: string) =>
  new Refusal(
    'duplicate-reference',
    `The reference ${reference} occurs more than once in this request. Send each record once.`,
    { field },
  )

/** With `Prefer: handling=strict`. */
export const unknownField = (field: string) =>
  invalidField(
    field,
    `${field} is unknown here, and the request asks for strict handling. Check its spelling and place.`,
  )

export const missingKey = () =>
  new Refusal('missing-key', 'Send your API key in the header X-SERVICE-CLIENT-ID.')

export const invalidKey = () =>
  new Refusal('invalid-key', 'This API key is unknown, revoked or expired. Ask the operator for a new one.')

export const loginRequired = () =>
  new Refusal('login-required', 'Log in to the console, or send an operator token as Authorization: Bearer.')

export const metricsRefused = () =>
  new Refusal(
    'login-required',
    'Send METRICS_TOKEN as Authorization: Bearer. Without it, metrics are available on this machine only.',
  )

export const loginFailed = () => new Refusal('login-failed', 'Email or password is wrong.')

export const codeRequired = () =>
  new Refusal('code-required', 'Enter the code from your authenticator app.', { field: 'code' })

export const factorInUse = () =>
  new Refusal('code-required', 'A second factor is already set up. Remove it with a code first.', {
    field: 'code',
  })

export const wrongCode = () =>
  new Refusal('login-failed', 'This code is wrong or has already been used. Wait for the next one.', {
    field: 'code',
  })

export const lastOperator = () =>
  new Refusal('owner', 'The last operator cannot be removed. Invite another operator first.')

export const wrongCrm = (name: string) =>
  new Refusal(
    'wrong-crm',
    `This API key does not belong to the CRM ${name}. Name the key's own CRM in the path, or send a key of ${name}.`,
    { field: 'crmId' },
  )

export const missingScope = (scope: string) =>
  new Refusal(
    'scope',
    `This needs the scope "${scope}", which your key or login does not have. Ask the operator for a key that has it.`,
  )

/** For people: what they may not do, as the table of permissions says it. */
export const missingRight = (what: string) =>
  new Refusal('scope', `Your role does not include this: ${what}. Ask the owner or an administrator.`)

export const notFound = (noun: string, reference: string, field?: string) =>
  new Refusal('not-found', `There is no ${noun} "${reference}".`, { field })

export const methodNotAllowed = (method: string, path: string, allow: string[]) =>
  new Refusal('method-not-allowed', `${path} does not support ${method}. Send ${allow.join(' or ')}.`, {
    allow,
  })

/** The three errors of Create Account, with the exact texts that integrators already match on. */
export const noOwner = () =>
  new Refusal('not-found', 'no user found for ownerReference', { field: 'ownerReference' })

export const unknownBranch = (given: string, allowed: readonly string[]) =>
  new Refusal(
    'unknown-branch',
    `Unable to find specified branch. Was ${given}. Allowed are ${allowed.join(', ')}.`,
    { field: 'branch' },
  )

export const invalidReference = (given: string) =>
  new Refusal(
    'invalid-reference',
    `Unable to parse account reference. Was ${given}. The form is uniqueId@platformName.`,
    { field: 'accountReference' },
  )

export const invalidToken = () =>
  new Refusal(
    'invalid-token',
    'This token is invalid or has expired: it was used or replaced, or the Appointment has started. Open the link in the latest email.',
  )

/** Says neither where the address has a login nor what it may do. */
export const cannotBeInvited = () =>
  new Refusal('email-exists', 'This address cannot be invited. Use a different one.', { field: 'email' })

export const emailExists = () =>
  new Refusal('email-exists', 'User with given email already exists.', { field: 'email' })

export const usernameExists = () =>
  new Refusal('username-exists', 'User with given username already exists.', { field: 'username' })

export const referenceExists = (noun: string, reference: string, field = 'reference') =>
  new Refusal(
    'reference-exists',
    `Another ${noun} already uses the reference ${reference}. Choose another reference, or send the same data as the existing one.`,
    { field },
  )

export const ownerHasNoRole = () =>
  new Refusal('owner', 'This person owns the business. Make someone else the owner first.', { field: 'role' })

export const ownerCannotLeave = () =>
  new Refusal('owner', 'This User owns the Provider. The owner always belongs to its staff.', {
    field: 'userRef',
  })

/** `owned`: what belongs to the User. */
export const userOwns = (owned: string[]) =>
  new Refusal('owner', `This User owns ${shortList(owned)}. Make another User the owner first.`)

export const inUse = (noun: string, uses: string[]) =>
  new Refusal('in-use', `The ${noun} is in use: ${shortList(uses)}. Change that first.`)

const shortList = (names: string[]) =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')

export const onlyProduct = (resources: string[]) =>
  new Refusal(
    'only-product',
    `${resources.join(', ')}: no other Product can be booked there. Link another one first, or delete the Resource.`,
  )

export const questionInUse = (key: string, dependent: string) =>
  new Refusal('question-in-use', `${dependent} is shown depending on ${key}. Change ${dependent} first.`)

/** The message is shown to the visitor as it is. */
export const missingAnswer = (field: string, message: string) =>
  new Refusal('missing-answer', message, { field })

export const futureAppointments = (noun: string) =>
  new Refusal(
    'future-appointments',
    `The ${noun} has future Appointments. Cancel them first, or send ignoreFutureAppointments=true.`,
  )

export const activeAppointment = (message: string) => new Refusal('active-appointment', message)

export const capacityExceeded = () =>
  new Refusal(
    'capacity-exceeded',
    'The Appointment is full. To add a Customer anyway, send ignoreCapacity=true.',
  )

export const transitionNotAllowed = (from: string, to: string) =>
  new Refusal(
    'transition-not-allowed',
    `This Participation is ${from} and cannot become ${to}. Create a new Participation instead.`,
    { field: 'state' },
  )

export const notBooked = (state: string) =>
  new Refusal(
    'transition-not-allowed',
    `This Participation is ${state}. Attendance can only be recorded for a BOOKED Participation.`,
    { field: 'attendance' },
  )

export const tooLateToCorrect = () =>
  new Refusal(
    'transition-not-allowed',
    'The email address of this booking cannot be corrected here: this is possible once, within ten minutes, and not for Customers added by the provider. Please contact the provider.',
    { field: 'email' },
  )

export const holdOfConsumer = () =>
  new Refusal(
    'transition-not-allowed',
    'This place is a consumer’s hold and has no Customer yet. You can cancel it; only that consumer can book it.',
    { field: 'state' },
  )

export const appointmentCancelled = () =>
  new Refusal(
    'appointment-cancelled',
    'The Appointment is cancelled, so no Customers can be added. Create a new one with another reference.',
    { field: 'appointmentReference' },
  )

export const cannotRestore = () =>
  new Refusal(
    'appointment-cancelled',
    'The Appointment is cancelled, so it cannot be moved. Restore it in the console first, or create a new one with another reference.',
    { field: 'appointmentReference' },
  )

export const alreadyParticipates = () =>
  new Refusal(
    'already-participates',
    'This Customer already has another Participation in this Appointment. Update that one instead.',
    { field: 'customerReference' },
  )

/** `reference` is the Customer to use instead. */
export const customerMerged = (former: string, reference: string) =>
  new Refusal(
    'customer-merged',
    `The Customer "${former}" was merged into "${reference}". Use that reference instead.`,
    { reference },
  )

/** A Customer from online booking has this email. */
export const samePerson = (reference: string) =>
  new Refusal(
    'same-person',
    `The Customer "${reference}" booked online with this email. Send adopt=true to give that Customer this reference and keep the bookings.`,
    { field: 'email', reference },
  )

export const mergeConflict = (field: string, message: string) =>
  new Refusal('merge-conflict', message, { field })

export const undoExpired = () =>
  new Refusal('undo-expired', 'This can no longer be undone: that is possible for 30 days.')

export const importState = (state: string) =>
  new Refusal('import-state', `The import is ${state}, so this is not possible now. Read it again.`, {
    field: 'state',
  })

/**
 * The slot or its last place is not available. One code for every reason, because widgets show "taken" for
 * all of them.
 */
export const slotTaken = (
  message = 'The slot is taken: it overlaps with another Appointment.',
  reason = 'taken',
) => new Refusal('201', message, { reason })

export const alreadyBooked = () =>
  new Refusal('202', 'You are already booked for this Appointment. There is nothing left to do.', {
    reason: 'takes-part',
  })

export const channelHidden = () =>
  new Refusal('channel-hidden', 'This channel is not open for bookings: the provider has hidden it.')

export const notInvited = () =>
  new Refusal(
    'not-invited',
    'This channel is open to invited customers only. Use the email address you were invited with.',
  )

export const tooLateToChange = (contact: string) =>
  new Refusal(
    'change-notice',
    `It is too late to cancel or reschedule this Appointment online. Please contact us: ${contact}.`,
  )

/** For staff: refused once, with the option to proceed anyway. */
export const conflict = (message: string) =>
  new Refusal('conflict', `${message} To do it anyway, send ignoreConflicts=true.`)

/** One date of a series. */
export const seriesConflict = (field: string, message: string) =>
  new Refusal('conflict', `${message} To book this date anyway, send ignoreConflicts with it.`, { field })

export const oldPlaceShared = () =>
  new Refusal(
    'conflict',
    'The other Appointment has more participants, and the two overlap. Move or cancel one of them first.',
  )

export const inProgress = () =>
  new Refusal(
    'in-progress',
    'A request with this Idempotency-Key is still being processed. Send this one again in a moment to get its response.',
    { field: 'Idempotency-Key', retryAfterSeconds: 1 },
  )

/** For requests with If-Match, or with another field that states what the client saw. */
export const changedSince = (field = 'If-Match') =>
  new Refusal(
    'changed',
    'This has changed since you read it. Read it again, check what is new, and send your change again.',
    { field },
  )

/** For integrators, by RFC 9110. */
export const preconditionFailed = () =>
  new Refusal('precondition-failed', changedSince().message, { field: 'If-Match' })

/** Two requests moved the same booking at once. `to` is its current time. */
export const movedSince = (start: string, end: string) =>
  new Refusal(
    'changed',
    `It was moved by another request at the same time, and is now from ${start} to ${end}. Nothing was changed by this request. Check the new time, and send your move again if you still want it.`,
  )

export const alreadyBegun = () => new Refusal('changed', 'It has already begun, so it stays as it is.')

/** The response is encrypted with a SECRET_KEY that was removed. */
export const answerUnreadable = () =>
  new Refusal(
    'idempotency-mismatch',
    'A request with this Idempotency-Key was processed before, but its response can no longer be read. Check its effect, and use a new key for the next request.',
    { field: 'Idempotency-Key' },
  )

export const idempotencyMismatch = () =>
  new Refusal(
    'idempotency-mismatch',
    'This Idempotency-Key was used for a different request in the last 24 hours. Use a new one for each request.',
    { field: 'Idempotency-Key' },
  )

export const tooLarge = (limit: number) =>
  new Refusal('too-large', `The body is larger than ${limit / 1024 / 1024} MiB. Send it in parts.`)

export const tooManyRequests = (retryAfterSeconds: number) =>
  new Refusal(
    'too-many-requests',
    `Too many requests. Try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`,
    {
      retryAfterSeconds,
    },
  )

export const busy = () =>
  new Refusal('unavailable', 'This time is in high demand right now. Please try again.', {
    retryAfterSeconds: 1,
  })

export const overloaded = () =>
  new Refusal('unavailable', 'The service is busy right now. Please try again in a second.', {
    retryAfterSeconds: 1,
    reason: 'overloaded',
  })
const whileHeld = { retryAfterSeconds: 60 }

export const tooManyHolds = (most: number, where = 'at a time') =>
  new Refusal(
    'too-many-requests',
    `No more than ${most} slots can be held ${where}. Book or release one first.`,
    whileHeld,
  )

export const tooManyProposals = (most: number) =>
  new Refusal(
    'too-many-requests',
    `No more than ${most} proposals can wait for one person. Wait until they confirm or the proposals lapse.`,
    whileHeld,
  )

export const agentNotAllowed = () =>
  new Refusal('scope', 'Agents cannot book directly here. Propose the time to the person instead.')

export const tooManyRenewals = (most: number) =>
  new Refusal(
    'too-many-requests',
    `A hold can be renewed ${most} times. Book it or choose another slot.`,
    whileHeld,
  )

// Keyed by the cause shown in the log and in /readyz.
const causesInPlainWords: Record<string, string> = {
  'commit waits for a synchronous standby':
    'Nothing can be saved right now: the database is waiting for its standby to confirm.',
  'no connection available': 'No connection to the database is available right now.',
  'all connections to the database are in use': 'No connection to the database is available right now.',
  'the database has too many connections': 'No connection to the database is available right now.',
  'a statement took too long': 'This took too long and was stopped.',
  'a lock was not available in time': 'Others are changing the same right now.',
  'the database is read-only: a standby, or its disk is protected': 'Nothing can be saved right now.',
  'disk full': 'Nothing can be saved right now: the disk of the database is full.',
  'the disk of the database is full': 'Nothing can be saved right now: the disk of the database is full.',
}

export const unavailable = (cause: string | null = null) =>
  new Refusal(
    'unavailable',
    `${causesInPlainWords[cause ?? ''] ?? 'The database cannot be reached right now.'} Try again in a moment.`,
    { retryAfterSeconds: 2 },
  )

/** For clients that follow the event log. */
export const cursorExpired = () =>
  new Refusal(
    'cursor-expired',
    'The events after this cursor have been deleted. Start again without `after`, and reload the data you keep.',
    { field: 'after' },
  )

const suspendedRetrySeconds = 30

export const suspended = () =>
  new Refusal('suspended', 'This service is currently paused. Nothing was changed. Try again later.', {
    retryAfterSeconds: suspendedRetrySeconds,
  })

/** `address` is where the CRM is served now, or '' if unknown. */
export const moved = (address: string) =>
  new Refusal(
    'moved',
    address
      ? `This CRM has moved to ${address}. Send the request there.`
      : 'This CRM has moved to another installation. Ask the provider for its new address.',
    address ? { location: address } : {},
  )
