import { api, Problem } from '../../api.ts'
import type { InvitationLink } from '../../ui/dialogs/InvitationLinks.tsx'

/** With the person of the console whose link is to be passed on. */
export type Invited = { isInvited: true; person: string | null }

type Member = { uuid?: string; name: string; email: string } & Partial<Invited>

// By member. Only in memory, unlike what is typed: who has a link can log in. So it is the same after Back, and another
// one after a reload.
const links = new Map<string, string>()

/** To pass on; none if an email was sent. */
export function linkOf({ uuid, name }: Member): InvitationLink[] {
  const link = uuid && links.get(uuid)
  return link ? [{ name, link }] : []
}

/** They have been passed on. */
export const forgetLinks = () => links.clear()

/** A member who is saved already. */
export async function invite(provider: string, member: Member & { uuid: string }): Promise<Invited> {
  if (member.isInvited) return inviteAgain(provider, member.uuid, member.person ?? null)
  const { name, email } = member
  const words = name.trim().split(/\s+/)
  const lastName = words.pop()!
  const body = { email: email.trim(), firstName: words.join(' ') || null, lastName }
  const { invitation, people } = await api.post(`/providers/${provider}/people`, body)
  const person = people.find(one => one.email?.toLowerCase() === body.email.toLowerCase())?.uuid
  return withLink(member.uuid, person ?? null, invitation)
}

/** For a link that was lost with the page. */
async function inviteAgain(provider: string, member: string, person: string | null): Promise<Invited> {
  if (!person || links.has(member)) return { isInvited: true, person }
  const invitation = await api.post(`/providers/${provider}/people/${person}/invite`).catch(noneIfGone)
  return withLink(member, person, invitation)
}

function withLink(member: string, person: string | null, invitation: { link: string } | null): Invited {
  if (!invitation) return { isInvited: true, person: null }
  links.set(member, invitation.link)
  return { isInvited: true, person }
}

/** They may have been removed elsewhere. */
function noneIfGone(error: unknown) {
  if (error instanceof Problem && error.status === 404) return null
  throw error
}
