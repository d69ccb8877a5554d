import type { Queryable } from '../../db/base/pool.ts'
import { ensureConsoleUser } from '../../db/setup/console-users.ts'
import { setLoginAside, takeInvitation } from '../../db/setup/invitations.ts'
import { cannotBeInvited } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { openSession } from './open-session.ts'

/**
 * The link proves that the person reads the mailbox, so a login that was never used makes room. A login that they use stays:
 * an address has one login, and the person asks for an invitation to another address. Null: unknown, used or expired.
 */
export function acceptInvitation(
  service: Service,
  hash: Buffer,
  agent: string | null,
): Promise<string | null> {
  return service.db.transaction(async tx => {
    const invited = await takeInvitation(tx, hash)
    if (!invited) return null
    const { id } = await loginFor(tx, invited)
    return openSession(service, tx, id, 'link', agent)
  })
}

async function loginFor(tx: Queryable, invited: Parameters<typeof ensureConsoleUser>[1]) {
  const known = await ensureConsoleUser(tx, invited)
  if (known.lastLoginAt !== null || known.role === 'operator') throw cannotBeInvited()
  if (known.crmId === invited.crmId && known.role === invited.role) return known
  await setLoginAside(tx, known.id)
  return ensureConsoleUser(tx, invited)
}
