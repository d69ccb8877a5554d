import type { ImportResult, LineOutcome, LineProblem } from '../../../db/scheduling/imports.ts'
import { Refusal } from '../../../errors.ts'
import { ownPrefix } from '../../../rules/imports/fields.ts'

export const outcome = (line: number, result: ImportResult, rest: Partial<LineOutcome>): LineOutcome => ({
  line,
  result,
  problems: null,
  customerId: null,
  appointmentId: null,
  isNewCustomer: false,
  before: null,
  ...rest,
})

type Attempt<T> = { value: Awaited<T> } | { refused: LineOutcome }

/** A refusal is the line's own result. Trouble of the service ends the batch, which is tried again. */
export function attempt<T>(line: number, work: () => Promise<T>): Promise<Attempt<T>>
export function attempt<T>(line: number, work: () => T): Attempt<T>
export function attempt<T>(line: number, work: () => T | Promise<T>) {
  const refused = (error: unknown) => {
    if (!(error instanceof Refusal) || ['unavailable', 'suspended', 'moved'].includes(error.code)) throw error
    return { refused: outcome(line, 'REFUSED', { problems: problemsOf(error) }) }
  }
  try {
    const value = work()
    return value instanceof Promise ? value.then(value => ({ value }), refused) : { value }
  } catch (error) {
    return refused(error)
  }
}

/** Without messages, which may contain values of the file. */
const problemsOf = (refusal: Refusal): LineProblem[] =>
  [refusal, ...refusal.others].map(one => ({
    code: one.code,
    field: one.field?.replace(/^fields\./, ownPrefix) ?? null,
    rule: one.rule ?? null,
    limit: one.data.limit ?? null,
  }))
