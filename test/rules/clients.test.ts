import { expect, test } from 'vitest'
import { clientOfAddress, isLoopback, mailboxOf } from '../../src/rules/people/clients.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['nonsense', null],
  ['', null],
])('the client at %s is %s', (address, client) => {
  expect(clientOfAddress(address)).toBe(client)
})

test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('%s is this machine', address => {
  expect(isLoopback(address)).toBe(true)
})

test.each(['10.0.0.1', '0.0.0.0', '::', '2001:db8::1', 'localhost.evil.org', undefined])(
  '%s is not',
  address => {
    expect(isLoopback(address)).toBe(false)
  },
)

test.each([
  ['bomb@example.org', 'bomb@example.org'],
  ['Bomb+1@Example.org ', 'bomb@example.org'],
  ['bomb+a+b@example.org', 'bomb@example.org'],
  ['+bomb@example.org', '+bomb@example.org'],
  ['"a@b"+c@example.org', '"a@b"@example.org'],
])('mail to %s is read by %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})
