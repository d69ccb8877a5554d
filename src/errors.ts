// Every way in which the service says no. An action throws one of these; the wire decides how it looks.

export const errorCodes = [
  'missing-field',
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
  'email-exists',
  'username-exists',
  'reference-exists',
  'owner',
  'future-appointments',
  'only-product',
  'active-appointment',
  'capacity-exceeded',
  'conflict',
  'transition-not-allowed',
  'appointment-cancelled',
  'already-participates',
  'in-progress',
  'changed',
  'idempotency-mismatch',
  'channel-hidden',
  'not-invited',
  'change-notice',
  '201',
  '202',
  'too-large',
  'media-type',
  'too-many-requests',
  'internal',
  'unavailable',
] as const

export type ErrorCode = (typeof errorCodes)[number]

type Extra = { field?: string; retryAfterSeconds?: number; allow?: string[]; reason?: string }

export class Refusal extends Error {
  code: ErrorCode
  field: string | undefined
  retryAfterSeconds: number | undefined
  /** Where one code stands for many reasons: which one, for those who count them. */
  reason: string | undefined
  /** The methods that a known path takes. */
  allow: string[] | undefined
  /** More that is wrong with the same request. */
  others: Refusal[] = []

  constructor(code: ErrorCode, message: string, extra: Extra = {}) {
    super(message)
    this.code = code
    this.field = extra.field
    this.retryAfterSeconds = extra.retryAfterSeconds
    this.allow = extra.allow
    this.reason = extra.reason
  }
}

/** All that is wrong, told at once; the first decides the status. */
export function allAtOnce(refusals: [Refusal, ...Refusal[]]): Refusal {
  const [first, ...others] = refusals.flatMap(one => [one, ...one.others])
  first!.others = others.slice(0, mostMistakes - 1)
  return first!
}

const mostMistakes = 20

/** The work for each of them; what is refused is told for all of them at once. */
export function forEachOf<T, R>(items: T[], work: (item: T, index: number) => R): R[] {
  const refused: Refusal[] = []
  const done: R[] = []
  for (const [index, item] of items.entries())
    try {
      done.push(work(item, index))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push(error)
    }
  if (refused.length > 0) throw allAtOnce(refused as [Refusal, ...Refusal[]])
  return done
}

export const missingField = (field: string, message = `${field} is required and must not be empty.`) =>
  new Refusal('missing-field', message, { field })

export const termsNotAccepted = () =>
  missingField('agbs', 'The Provider’s terms have to be accepted: send agbs with the value true.')

export const invalidField = (field: string, message: string) =>
  new Refusal('invalid-field', message, { field })

export const invalidJson = (message: string) => new Refusal('invalid-json', message)

export const duplicateReference = (noun: string, reference: string) =>
  new Refusal(
    'duplicate-reference',
    `A ${noun} with the reference ${reference} exists already. Send onDuplicateRaise=false to update it.`,
    { field: 'reference' },
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
    'Send METRICS_TOKEN as Authorization: Bearer. Without one, metrics are for this machine only.',
  )

export const loginFailed = () => new Refusal('login-failed', 'Email or password is wrong.')

export const codeRequired = () =>
  new Refusal('code-required', 'Type the code that your authenticator app shows, too.', { field: 'code' })

export const wrongCode = () =>
  new Refusal('login-failed', 'This code is wrong, or has been used already. Wait for the next one.', {
    field: 'code',
  })

export const lastOperator = () =>
  new Refusal('owner', 'This is the last operator: nobody could look after the service any more.')

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

export const notFound = (noun: string, reference: string, field?: string) =>
  new Refusal('not-found', `There is no ${noun} "${reference}".`, { field })

export const methodNotAllowed = (method: string, path: string, allow: string[]) =>
  new Refusal('method-not-allowed', `${path} does not take ${method}. Send ${allow.join(' or ')}.`, { allow })

/** The three refusals of Create Account, in the words that integrators already match on. */
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
    'This token is not valid or no longer valid: it was used or replaced, or the Appointment has begun. Open the link of the newest mail.',
  )

export const emailExists = () =>
  new Refusal('email-exists', 'User with given email already exists.', { field: 'email' })

export const usernameExists = () =>
  new Refusal('username-exists', 'User with given username already exists.', { field: 'username' })

export const referenceExists = (noun: string, reference: string, field = 'reference') =>
  new Refusal(
    'reference-exists',
    `The reference ${reference} is taken by a different ${noun}. Choose another, or send what the existing one holds.`,
    { field },
  )

export const ownerStays = () =>
  new Refusal('owner', 'This User owns the Provider, and the owner always belongs to its staff.', {
    field: 'userRef',
  })

export const onlyProduct = (resources: string[]) =>
  new Refusal(
    'only-product',
    `${resources.join(', ')}: there is no other Product to be booked. Link another one first, or delete the Resource.`,
  )

export const futureAppointments = (noun: string) =>
  new Refusal(
    'future-appointments',
    `The ${noun} has future Appointments. Cancel them first, or send ignoreFutureAppointments=true.`,
  )

export const activeAppointment = (message: string) => new Refusal('active-appointment', message)

export const capacityExceeded = () =>
  new Refusal(
    'capacity-exceeded',
    'The Appointment is full. To add somebody all the same, send ignoreCapacity=true.',
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
    `This Participation is ${state}. Only of somebody who is BOOKED can it be said whether they came.`,
    { field: 'attendance' },
  )

export const tooLateToCorrect = () =>
  new Refusal(
    'transition-not-allowed',
    'The address of this booking cannot be corrected here: that is possible once, within ten minutes, and not for Customers whom the provider entered. Ask the provider.',
    { field: 'email' },
  )

export const holdOfConsumer = () =>
  new Refusal(
    'transition-not-allowed',
    'A consumer holds this place and has not said yet for whom. It can be cancelled, or booked by that consumer only.',
    { field: 'state' },
  )

export const appointmentCancelled = () =>
  new Refusal(
    'appointment-cancelled',
    'The Appointment is cancelled: nobody can be added to it. Create it anew under another reference.',
    { field: 'appointmentReference' },
  )

export const cancelledStays = () =>
  new Refusal(
    'appointment-cancelled',
    'The Appointment is cancelled: it cannot be moved. Restore it in the console first, or create it anew under another reference.',
    { field: 'appointmentReference' },
  )

export const alreadyParticipates = () =>
  new Refusal(
    'already-participates',
    'This Customer takes part in this Appointment already, in another Participation. Update that one instead.',
    { field: 'customerReference' },
  )

/** The slot or its last place cannot be had. One code for every reason: a widget says "taken" to all of them. */
export const slotTaken = (
  message = 'The slot is taken: it overlaps with another Appointment.',
  reason = 'taken',
) => new Refusal('201', message, { reason })

export const alreadyBooked = () =>
  new Refusal('202', 'You take part in this Appointment already. There is nothing left to do.', {
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
    `It is too late to cancel or move this Appointment by yourself. Please get in touch: ${contact}.`,
  )

/** For staff: said once, and done all the same if they say so. */
export const conflict = (message: string) =>
  new Refusal('conflict', `${message} To do it all the same, send ignoreConflicts=true.`)

export const oldPlaceShared = () =>
  new Refusal(
    'conflict',
    'Others are in the Appointment that would be left, and the two overlap. Move or cancel one of them first.',
  )

export const inProgress = () =>
  new Refusal(
    'in-progress',
    'A request with this Idempotency-Key is still being worked on. Send this one again in a moment to get its answer.',
    { field: 'Idempotency-Key', retryAfterSeconds: 1 },
  )

/** For whoever sent If-Match, or said in another field what they saw. */
export const changedMeanwhile = (field = 'If-Match') =>
  new Refusal(
    'changed',
    'Somebody else changed this since you read it. Read it again, look at what is new, and send your change once more.',
    { field },
  )

/** Two moved the same booking at once. `to`: where it is now. */
export const movedMeanwhile = (start: string, end: string) =>
  new Refusal(
    'changed',
    `It was moved by somebody else at the same moment, and is now from ${start} to ${end}. Nothing of this request was done. Look at it again, and send your move once more if you still want it.`,
  )

export const idempotencyMismatch = () =>
  new Refusal(
    'idempotency-mismatch',
    'This Idempotency-Key was used for another request in the last 24 hours. Choose a new one for each request.',
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
  new Refusal('unavailable', 'Too many want this at the same moment. Try again in a second.', {
    retryAfterSeconds: 1,
  })

export const overloaded = () =>
  new Refusal('unavailable', 'More is asked for than can be done right now. Try again in a second.', {
    retryAfterSeconds: 1,
    reason: 'overloaded',
  })
const whileHeld = { retryAfterSeconds: 60 }

export const tooManyHolds = (most: number, where = 'at a time') =>
  new Refusal(
    'too-many-requests',
    `No more than ${most} slots can be held ${where}. Book one or give it back.`,
    whileHeld,
  )

export const tooManyRenewals = (most: number) =>
  new Refusal(
    'too-many-requests',
    `A hold can be renewed ${most} times. Book it or choose another slot.`,
    whileHeld,
  )

export const unavailable = () =>
  new Refusal('unavailable', 'The database cannot be reached right now. Try again in a moment.', {
    retryAfterSeconds: 2,
  })

/** For whoever follows the log of events. */
export const cursorExpired = () =>
  new Refusal(
    'cursor-expired',
    'Events behind this cursor are no longer there. Begin anew without `after`, and read what you keep once more.',
    { field: 'after' },
  )
