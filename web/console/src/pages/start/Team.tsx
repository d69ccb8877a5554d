import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { Resource } from '../../records.ts'
import { useProvider, useSession } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { type Handed, InvitationLinks } from '../../ui/InvitationLinks.tsx'
import { MailServerNote } from '../../ui/MailServerNote.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { AddressFields } from '../offers/ResourceFields.tsx'
import { texts } from './words.ts'

type Member = { name: string; email: string; isMade?: boolean; isInvited?: boolean }

/** Who can be booked and where. An email address also invites the person to the console. */
export function Team({ onBegin, onDone }: { onBegin: () => void; onDone: () => Promise<void> }) {
  const { me } = useSession()
  const provider = useProvider()
  const [members, setMembers] = useState<Member[]>([
    { name: me.name.includes('@') ? '' : me.name, email: '' },
  ])
  const [address, setAddress] = useState<Resource['address']>(null)
  const [handed, setHanded] = useState<Handed[] | null>(null)
  const { busy, run, errorAt } = useSubmit()
  const settle = useUnsaved(members.some(one => one.name !== '' && !one.isMade) && members.length > 1)
  const put = (index: number, part: Partial<Member>) =>
    setMembers(before => before.map((one, at) => (at === index ? { ...one, ...part } : one)))

  const submit = async (event: Event) => {
    event.preventDefault()
    onBegin()
    const links: Handed[] = []
    const isDone = await run(async () => {
      for (const [index, member] of members.entries()) {
        const isFirst = index === 0
        if (!isFirst && member.name.trim() === '') continue
        const body = { publicName: member.name.trim(), address }
        if (!member.isMade) await api.post(`/providers/${provider.uuid}/resources`, body)
        put(index, { isMade: true })
        if (member.isInvited || member.email.trim() === '') continue
        const link = await invite(provider.uuid, member)
        put(index, { isInvited: true })
        if (link) links.push({ name: member.name, link })
      }
      return true
    })
    if (!isDone) return
    settle()
    if (links.length > 0) setHanded(links)
    else await onDone()
  }
  if (handed)
    return (
      <>
        <InvitationLinks handed={handed} />
        <div>
          <Button kind="main" onClick={onDone}>
            {texts.continue}
          </Button>
        </div>
      </>
    )
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <MailServerNote text={texts.noServer} />
      {members.map((member, index) => (
        <div key={index} class="member">
          <TextField
            label={texts.memberName(index + 1)}
            {...(index === 0 ? { hint: texts.resourceNameHint } : {})}
            value={member.name}
            disabled={member.isMade ?? false}
            onInput={name => put(index, { name })}
            error={index === 0 ? errorAt('publicName') : null}
          />
          <TextField
            label={texts.memberEmail(index + 1)}
            {...(index === 0 ? { hint: texts.memberEmailHint } : {})}
            type="email"
            value={member.email}
            disabled={member.isInvited ?? false}
            onInput={email => put(index, { email })}
          />
          {index > 0 && !member.isMade && (
            <Button
              kind="quiet"
              label={`${common.remove}: ${member.name || index + 1}`}
              onClick={() => setMembers(members.filter(one => one !== member))}
            >
              ✕
            </Button>
          )}
        </div>
      ))}
      <div>
        <Button onClick={() => setMembers([...members, { name: '', email: '' }])}>{texts.addMember}</Button>
      </div>
      <AddressFields address={address} onChange={setAddress} errorAt={errorAt} />
      <div>
        <Button kind="main" type="submit" busy={busy}>
          {texts.continue}
        </Button>
      </div>
    </form>
  )
}

/** Returns the link to pass on if no email is sent. */
async function invite(provider: string, { name, email }: Member): Promise<string | null> {
  const words = name.trim().split(/\s+/)
  const lastName = words.pop()!
  const body = { email: email.trim(), firstName: words.join(' ') || null, lastName }
  const { invitation } = await api.post(`/providers/${provider}/people`, body)
  return invitation?.link ?? null
}
