import type { HoldfastErrorKind } from '../../../clients/ts/widget/index.d.ts'

export type ProblemKind = Exclude<HoldfastErrorKind, 'no-resource'>

/** Why a request failed. */
export class Problem extends Error {
  kind: ProblemKind
  /** The input at fault, if any. */
  field: string | null
  waitSeconds: number

  constructor(
    kind: ProblemKind,
    extra: { field?: string | null; waitSeconds?: number; cause?: unknown } = {},
  ) {
    super(kind, { cause: extra.cause })
    this.kind = kind
    this.field = extra.field ?? null
    this.waitSeconds = extra.waitSeconds ?? 0
  }
}

type ErrorBody = { errors?: { errorCode?: string; field?: string }[] }

const byCode: Record<string, ProblemKind> = {
  '201': 'taken',
  '202': 'twice',
  'channel-hidden': 'hidden',
  'not-invited': 'not-invited',
  'change-notice': 'late',
  changed: 'changed',
  'transition-not-allowed': 'unknown',
}

export async function problemOf(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => ({}))) as ErrorBody
  const { errorCode = '', field = null } = body.errors?.[0] ?? {}
  return problemFrom(response.status, errorCode, field, Number(response.headers.get('retry-after')) || 0)
}

export function problemFrom(status: number, code: string, field: string | null, wait: number): Problem {
  if (status === 429) return new Problem('busy', { waitSeconds: wait || 30 })
  const kind = byCode[code]
  if (kind) return new Problem(kind)
  if (status === 412) return new Problem('taken')
  if (status === 404) return new Problem('unknown')
  if (status === 400) return new Problem('invalid', { field })
  return new Problem('broken', { waitSeconds: wait })
}

/** Converts anything thrown to a Problem. */
export const asProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem('broken', { cause: error })
