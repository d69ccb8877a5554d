import type { IncomingHttpHeaders } from 'node:http'
import Type from 'typebox'

// Whoever has booked shows the token of one of their links; no other login is needed.

const name = 'x-signed-app-customer'

export const TokenHeader = (link: 'cancel' | 'move' | 'cancel or move') => ({
  'X-SIGNED-APP-CUSTOMER': Type.String({ description: `The token of the ${link} link.` }),
})

/** Empty where none was sent: no link has such a token. */
export function tokenOf({ headers }: { headers: IncomingHttpHeaders }): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}
