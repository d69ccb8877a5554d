import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unique } from '../support/build.ts'
import { startTestService, type TestService } from '../support/service.ts'

let test: TestService
beforeAll(async () => {
  test = await startTestService()
})
afterAll(() => test.close())

const person = (fields: object = {}) => {
  const reference = unique('user')
  return { reference, email: `${reference}.example.org`, username: reference.replace('@', '.'), lastName: 'Berg', ...fields }
}

describe('Create User', () => {
  it('makes a new User with 201, unset numbers being null', async () => {
    const body = person()
    const { status, body: answer } = await test.crm.post('/user', body)
    expect(status).toBe(201)
    expect(answer).toEqual({
      'api-info': { version: '1' },
      user: { ...body, firstName: null, phone: null, mobile: null },
    })
  })
})
