import type { Conflict, DataOf, ErrorCode, ParamsOf, RuleOf, schemaRules } from './error-texts.ts'

// Every error that the service returns, as data: a code, a field, and the rule and parameters from which
// error-texts.ts renders the sentence. Actions throw a Refusal; src/http/wire decides how it is sent.

export type { Conflict, ErrorCode }
export type SchemaRule = (typeof schemaRules)[number]

type Extra = {
  field?: string
  /** For clients, if the sentence alone does not say which rule is broken. */
  as?: SchemaRule
  limit?: number
  retryAfterSeconds?: number
  /** Methods that the path supports. */
  allow?: string[]
  /** Distinguishes the reasons behind one code, for metrics. */
  reason?: string
  /** Address of the installation that serves the CRM now. */
  location?: string
  /** The record to use instead. */
  reference?: string
}

export class Refusal<C extends ErrorCode = ErrorCode> extends Error {
  code: C
  data: Extra & { rule?: string }
  /** The input that is wrong. A list adds its own place; the sentence keeps the name in `data`. */
  field: string | undefined
  /** Further errors in the same request. */
  others: Refusal[] = []

  constructor(code: C, ...[data]: Needed<DataOf<C> & Extra>) {
    const given = (data ?? {}) as Extra & { rule?: string }
    // For logs.
    super(given.rule ? `${code} ${given.rule}` : code)
    this.code = code
    this.data = given
    this.field = this.data.field
  }

  /** What is wrong, for programs that word errors in another language. */
  get rule(): string | undefined {
    return this.data.as ?? (this.data.rule?.split(':')[0] || undefined)
  }
}

/** Parameters can be left out if none is required. */
type Needed<P> = object extends P ? [data?: P] : [data: P]

/** Reports several errors in one response; the first decides the status. */
export function combineRefusals(refusals: [Refusal, ...Refusal[]]): Refusal {
  const [first, ...others] = refusals.flatMap(one => [one, ...one.others])
  first!.others = others.slice(0, maxErrors - 1)
  return first!
}

const maxErrors = 20

/** Throws them together, if there are any. */
export function throwRefusals(refusals: Refusal[]) {
  if (refusals.length > 0) throw combineRefusals(refusals as [Refusal, ...Refusal[]])
}

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
  throwRefusals(refused)
  return done
}

type OfField<C extends ErrorCode, R> = Needed<Omit<ParamsOf<C, R> & Extra, 'field'>>

export const missingField = <R extends RuleOf<'missing-field'> = ''>(
  field: string,
  ...[rule, ...params]: [rule?: R, ...params: OfField<'missing-field', R>]
) => new Refusal('missing-field', { ...params[0], rule, field } as DataOf<'missing-field'>)

export const termsNotAccepted = () => missingField('agbs', 'terms')

export const invalidField = <R extends RuleOf<'invalid-field'>>(
  field: string,
  rule: R,
  ...params: OfField<'invalid-field', R>
) => new Refusal('invalid-field', { ...params[0], rule, field } as DataOf<'invalid-field'>)

/** The end of a period must come after its start. */
export const notAfterStart = (field: string, start: string) => invalidField(field, 'after-start', { start })

export const duplicateReference = (noun: string, name: string) =>
  new Refusal('duplicate-reference', { field: 'reference', noun, name })

export const repeatedReference = (field: string, name: string) =>
  new Refusal('duplicate-reference', { rule: 'repeated', field, name })

export const addressTaken = (slug: string) => new Refusal('address-taken', { field: 'slug', slug })

/** With `Prefer: handling=strict`. */
export const unknownField = (field: string) => invalidField(field, 'unknown-field:strict')

export const missingKey = () => new Refusal('missing-key')

export const invalidKey = () => new Refusal('invalid-key')

export const loginRequired = () => new Refusal('login-required')

export const metricsRefused = () => new Refusal('login-required', { rule: 'metrics' })

export const loginFailed = () => new Refusal('login-failed')

export const codeRequired = () => new Refusal('code-required', { field: 'code' })

export const factorInUse = () => new Refusal('code-required', { rule: 'in-use', field: 'code' })

export const wrongCode = () => new Refusal('login-failed', { rule: 'code', field: 'code' })

export const lastOperator = () => new Refusal('owner', { rule: 'operator' })

export const wrongCrm = (name: string) => new Refusal('wrong-crm', { field: 'crmId', name })

export const missingScope = (scope: string) => new Refusal('scope', { scope })

/** For people: what they may not do, as the table of permissions says it. */
export const missingRight = (right: string) => new Refusal('scope', { rule: 'role', right })

export const notFound = (noun: string, name: string, field?: string) =>
  new Refusal('not-found', { noun, name, field })

export const methodNotAllowed = (method: string, path: string, allow: string[]) =>
  new Refusal('method-not-allowed', { method, path, allow })

export const noOwner = () => new Refusal('not-found', { rule: 'owner', field: 'ownerReference' })

export const unknownBranch = (given: string, choices: readonly string[]) =>
  new Refusal('unknown-branch', { field: 'branch', given, choices })

export const invalidReference = (given: string) =>
  new Refusal('invalid-reference', { field: 'accountReference', given })

export const invalidToken = () => new Refusal('invalid-token')

export const cannotBeInvited = () => new Refusal('email-exists', { rule: 'invitation', field: 'email' })

export const emailExists = () => new Refusal('email-exists', { field: 'email' })

export const usernameExists = () => new Refusal('username-exists', { field: 'username' })

export const referenceExists = (noun: string, name: string, field = 'reference') =>
  new Refusal('reference-exists', { field, noun, name })

export const ownerHasNoRole = () => new Refusal('owner', { rule: 'role', field: 'role' })

export const ownerCannotLeave = () => new Refusal('owner', { rule: 'staff', field: 'userRef' })

/** `owned`: what belongs to the User. */
export const userOwns = (owned: string[]) => new Refusal('owner', { rule: 'user', owned })

export const inUse = (noun: string, uses: string[]) => new Refusal('in-use', { noun, uses })

export const onlyProduct = (resources: string[]) => new Refusal('only-product', { resources })

export const questionInUse = (key: string, dependent: string) =>
  new Refusal('question-in-use', { key, dependent })

export const futureAppointments = (noun: string) => new Refusal('future-appointments', { noun })

export const capacityExceeded = () => new Refusal('capacity-exceeded')

export const transitionNotAllowed = (from: string, to: string) =>
  new Refusal('transition-not-allowed', { field: 'state', from, to })

export const notBooked = (state: string) =>
  new Refusal('transition-not-allowed', { rule: 'attendance', field: 'attendance', state })

export const tooLateToCorrect = () => new Refusal('transition-not-allowed', { rule: 'email', field: 'email' })

export const holdOfConsumer = () => new Refusal('transition-not-allowed', { rule: 'hold', field: 'state' })

export const appointmentCancelled = () =>
  new Refusal('appointment-cancelled', { field: 'appointmentReference' })

export const cannotRestore = () =>
  new Refusal('appointment-cancelled', { rule: 'move', field: 'appointmentReference' })

export const alreadyParticipates = () => new Refusal('already-participates', { field: 'customerReference' })

/** `reference` is the Customer to use instead. */
export const customerMerged = (former: string, reference: string) =>
  new Refusal('customer-merged', { former, reference })

/** A Customer from online booking has this email. */
export const samePerson = (reference: string) => new Refusal('same-person', { field: 'email', reference })

export const undoExpired = () => new Refusal('undo-expired')

export const importState = (state: string) => new Refusal('import-state', { field: 'state', state })

/** The slot or its last place is not available. */
export const slotTaken = (rule: Exclude<RuleOf<'201'>, 'closure:reason'> = '', reason = 'taken') =>
  new Refusal('201', { rule, reason } as DataOf<'201'> & Extra)

export const alreadyBooked = () => new Refusal('202', { reason: 'takes-part' })

export const channelHidden = (rule: RuleOf<'channel-hidden'> = '') => new Refusal('channel-hidden', { rule })

export const notInvited = () => new Refusal('not-invited')

export const tooLateToChange = (contact: string) => new Refusal('change-notice', { contact })

/** For staff: refused once, with the option to proceed anyway. */
export const conflict = (conflicts: Conflict[]) => new Refusal('conflict', { conflicts })

export const oldPlaceShared = () => new Refusal('conflict', { rule: 'old-place' })

export const inProgress = () => new Refusal('in-progress', { field: 'Idempotency-Key', retryAfterSeconds: 1 })

/** For requests with If-Match, or with another field that states what the client saw. */
export const changedSince = (field = 'If-Match') => new Refusal('changed', { field })

/** For integrators, by RFC 9110. */
export const preconditionFailed = () => new Refusal('precondition-failed', { field: 'If-Match' })

/** Two requests moved the same booking at once. */
export const movedSince = ({ startAt, endAt }: { startAt: number; endAt: number }) =>
  new Refusal('changed', { rule: 'moved', start: startAt, end: endAt })

export const alreadyBegun = () => new Refusal('changed', { rule: 'begun' })

/** The response is encrypted with a SECRET_KEY that was removed. */
export const answerUnreadable = () =>
  new Refusal('idempotency-mismatch', { rule: 'unreadable', field: 'Idempotency-Key' })

export const idempotencyMismatch = () => new Refusal('idempotency-mismatch', { field: 'Idempotency-Key' })

export const tooLarge = (limit: number) => new Refusal('too-large', { limit })

export const tooManyRequests = (retryAfterSeconds: number) =>
  new Refusal('too-many-requests', { retryAfterSeconds })

export const busy = () => new Refusal('unavailable', { rule: 'demand', retryAfterSeconds: 1 })

export const overloaded = () =>
  new Refusal('unavailable', { rule: 'overloaded', retryAfterSeconds: 1, reason: 'overloaded' })

export const tooManyOpen = (rule: 'holds' | 'holds:resource' | 'renewals' | 'proposals', limit: number) =>
  new Refusal('too-many-requests', { rule, limit, retryAfterSeconds: 60 })

export const agentNotAllowed = () => new Refusal('scope', { rule: 'agent' })

/** `cause` is shown in the log and in /readyz. */
export const unavailable = (cause: string | null = null) =>
  new Refusal('unavailable', { cause, retryAfterSeconds: 2 })

/** For clients that follow the event log. */
export const cursorExpired = (rule?: 'unknown') => new Refusal('cursor-expired', { field: 'after', rule })

export const suspended = () => new Refusal('suspended', { retryAfterSeconds: 30 })

/** `address` is where the CRM is served now, or '' if unknown. */
export const moved = (address: string) =>
  address ? new Refusal('moved', { location: address }) : new Refusal('moved', { rule: 'unknown' })
