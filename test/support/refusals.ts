import { expect } from 'vitest'
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

export const messageOf = ({ body }: Answer): string => body.errors[0].message

const withoutRules = (body: Answer['body']) =>
  body?.errors
    ? { ...body, errors: body.errors.map(({ rule: _, limit: __, ...error }: object & Rules) => error) }
    : body

type Rules = { rule?: string; limit?: number }
