import { findUserByUuid, markVerified, type UserRow } from '../../db/setup/users.ts'
import type { Service } from '../../service.ts'

/** The User a verification link belongs to, as long as their address is still the one it was sent to. */
export async function userToVerify(
  { signer, db, suspensions }: Service,
  token: string,
): Promise<UserRow | null> {
  const [uuid, nonce] = signer.open('verify', token)?.split(':') ?? []
  const user = uuid && nonce ? await findUserByUuid(db, uuid) : null
  suspensions.refuseCrm(user?.crmId)
  return user && user.verificationNonce === nonce ? user : null
}

/** Null if the link is invalid, or the address has just changed. */
export async function verifyEmail(service: Service, token: string): Promise<UserRow | null> {
  const user = await userToVerify(service, token)
  return user && (await markVerified(service.db, user.uuid, user.verificationNonce)) ? user : null
}
