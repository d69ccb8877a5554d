import { findUserByUuid, markVerified, type UserRow } from '../../db/setup/users.ts'
import type { Service } from '../../service.ts'

/** Whom the link in a verification mail is for, as long as the address is the one that it was sent to. */
export async function userToVerify({ signer, db }: Service, token: string): Promise<UserRow | null> {
  const [uuid, nonce] = signer.open('verify', token)?.split(':') ?? []
  const user = uuid && nonce ? await findUserByUuid(db, uuid) : null
  return user && user.verificationNonce === nonce ? user : null
}

/** Null where the link leads nowhere, or the address changed this moment. */
export async function verifyEmail(service: Service, token: string): Promise<UserRow | null> {
  const user = await userToVerify(service, token)
  return user && (await markVerified(service.db, user.uuid, user.verificationNonce)) ? user : null
}
