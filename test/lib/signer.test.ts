import { expect, test } from 'vitest'
import { makeSigner } from '../../src/lib/signer.ts'

const [older, newer] = ['o'.repeat(32), 'n'.repeat(32)]
const noon = Date.parse('2026-11-15T12:00:00Z')

test('a token is valid for its purpose, until it expires', () => {
  const signer = makeSigner(newer)
  const token = signer.sign('cancel', 'subject', noon)
  expect(signer.open('cancel', token, noon - 1)).toBe('subject')
  expect(signer.open('cancel', token, noon)).toBeNull()
  expect(signer.open('decide', token, noon - 1)).toBeNull()
})

test('rejects a token with a changed expiry, subject or character', () => {
  const signer = makeSigner(newer)
  const token = signer.sign('cancel', 'subject', noon)
  const [subject, end, mac] = token.split('.')
  const later = (Number.parseInt(end!, 36) + 86_400).toString(36)
  const forged = [
    `${subject}.${later}.${mac}`,
    `${subject}.${end!.toUpperCase()}.${mac}`,
    `${subject}..${mac}`,
    `${subject}.${mac}`,
    `${Buffer.from('other').toString('base64url')}.${end}.${mac}`,
    `${token}.`,
    `${token}=`,
    ` ${token}`,
    '',
  ]
  for (const one of forged) expect([one, signer.open('cancel', one, noon - 1)]).toEqual([one, null])
})

test('during a rotation the previous key verifies but does not sign', () => {
  const before = makeSigner(older)
  const during = makeSigner(newer, older)
  const after = makeSigner(newer)
  const token = before.sign('verify', 'subject', noon)
  expect(during.open('verify', token, noon - 1)).toBe('subject')
  expect(after.open('verify', token, noon - 1)).toBeNull()
  expect(during.sign('verify', 'subject', noon)).toBe(after.sign('verify', 'subject', noon))
})
