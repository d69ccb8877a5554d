import { expect, it } from 'vitest'
import { type Paint, prettyLine } from '../../src/lib/watch/pretty-log.ts'

const plain: Paint = (_style, text) => text
const base = { time: '2026-11-17T19:01:11.142Z', pid: 7, hostname: 'vm', version: '1.2.3' }
const pretty = (entry: object, paint = plain) => prettyLine(JSON.stringify({ ...base, ...entry }), paint)

it('a request is one line with its status, route, duration, error code, CRM and ids', () => {
  const request = { reqId: 'a-1', method: 'POST', route: '/resources/:ref/reserve_appointment', status: 412 }
  const line = pretty({ level: 'info', ...request, crm: 'acme', code: '202', ms: 3.2, msg: 'answered' })
  expect(line).toBe(
    '2026-11-17T19:01:11.142Z INFO  412 POST /resources/:ref/reserve_appointment 3.2 ms reqId=a-1 crm=acme code=202\n',
  )
})

it('a warning has the message of its error, and an error has the stack', () => {
  const err = { message: 'refused', stack: 'Error: refused\n    at here' }
  expect(pretty({ level: 'warn', err, msg: 'lost' })).toBe(
    '2026-11-17T19:01:11.142Z WARN  lost error=refused\n',
  )
  expect(pretty({ level: 'error', err, msg: 'lost' })).toBe(
    '2026-11-17T19:01:11.142Z ERROR lost\nError: refused\n    at here\n',
  )
})

it('control characters do not reach the terminal, and values cannot add lines', () => {
  const line = pretty({
    level: 'warn',
    msg: 'a\u001b[2Jb\nc',
    cause: 'x\u009b\u001b[31m\ny',
    some: undefined,
  })
  expect(line.slice(0, -1)).not.toMatch(/\p{Cc}/u)
})

it('the level has a colour where colours are wanted', () => {
  expect(pretty({ level: 'warn', msg: 'lost' }, (style, text) => `<${style}>${text}`)).toContain(
    '<yellow>WARN ',
  )
})
