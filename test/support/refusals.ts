import { expect } from 'vitest'
import type { Answer } from './service.ts'

/** The one shape of errors, to the letter: nothing beside api-info and one error. */
export function expectRefusal({ status, body }: Answer, wanted: number, errorCode: string, field?: string) {
  expect({ status, body }).toEqual({
    status: wanted,
    body: {
      'api-info': { version: '1' },
      errors: [{ errorCode, message: expect.stringMatching(/\S/), ...(field ? { field } : {}) }],
    },
  })
}

export const messageOf = ({ body }: Answer): string => body.errors[0].message
