import { expect } from 'vitest'
import { errorText } from '../../src/error-texts.ts'
import type { Refusal } from '../../src/errors.ts'
import type { Answer } from './service.ts'

/** The shape of every error: nothing but api-info and one error. The broken rule is optional. */
export function expectRefusal({ status, body }: Answer, wanted: number, errorCode: string, field?: string) {
  expect({ status, body: withoutRules(body) }).toEqual({
    status: wanted,
    body: {
      'api-info': { version: '1' },
      errors: [{ errorCode, message: expect.stringMatching(/\S/), ...(field ? { field } : {}) }],
    },
  })
}

/** What clients would read if this were thrown in a request. */
export function sentenceOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return errorText(error as Refusal)
  }
  return ''
}

export const messageOf = ({ body }: Answer): string => body.errors[0].message

const withoutRules = (body: Answer['body']) =>
  body?.errors
    ? { ...body, errors: body.errors.map(({ rule: _, limit: __, ...error }: object & Rules) => error) }
    : body

type Rules = { rule?: string; limit?: number }
