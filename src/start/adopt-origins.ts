import { createSecretKey } from 'node:crypto'
import type { Origin } from '../db/setup/suspensions.ts'
import { seal, unseal } from '../lib/seal.ts'
import type { LinkKeys, Signer } from '../lib/signer.ts'

/** Seals the keys that signed a CRM's links in its old installation, for the new one. */
export const sealLinkKeys = (target: Signer, keys: LinkKeys[]): Buffer =>
  seal(target.key('former-links'), JSON.stringify(keys))

export const openLinkKeys = (signer: Signer, sealed: Buffer): LinkKeys[] =>
  JSON.parse(unseal(signer.keys('former-links'), sealed) ?? '[]')

/** Links signed by those installations work here too from now on. */
export function adoptOrigins(signer: Signer, origins: Origin[]) {
  signer.adopt(
    origins.flatMap(({ linkKeys, ...origin }) =>
      openLinkKeys(signer, linkKeys).map(keys => ({
        ...origin,
        keyOf: (wanted: string) => {
          const key = keys[wanted]
          return key === undefined ? null : createSecretKey(key, 'base64')
        },
      })),
    ),
  )
}
