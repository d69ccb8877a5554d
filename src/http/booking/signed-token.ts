import type { IncomingHttpHeaders } from 'node:http'
import Type from 'typebox'

// Consumers authenticate with the token of one of their links; there is no other login.

const name = 'x-signed-app-customer'

export const TokenHeader = (link: 'cancel' | 'move' | 'cancel or move') => ({
  'X-SIGNED-APP-CUSTOMER': Type.String({ description: `The token of the ${link} link.` }),
})

/** Empty if none was sent: no link has an empty token. */
export function tokenOf({ headers }: { headers: IncomingHttpHeaders }): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}
