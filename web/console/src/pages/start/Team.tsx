import { flushSync } from 'preact/compat'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { Resource } from '../../records.ts'
import { useProvider, useSession } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { type InvitationLink, InvitationLinks } from '../../ui/dialogs/InvitationLinks.tsx'
import { useUnsaved } from '../../ui/editing/unsaved.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { MailServerNote } from '../../ui/MailServerNote.tsx'
import { AddressFields } from '../offers/resources/ResourceFields.tsx'
import { ownNameOf } from './forms.tsx'
import { texts } from './words.ts'

type Member = { name: string; email: string; isMade?: boolean; isInvited?: boolean }

/** Who can be booked and where. An email address also invites the person to the console. */
export function Team({ onBegin, onDone }: { onBegin: () => void; onDone: () => Promise<void> }) {
  const { me } = useSession()
  const provider = useProvider()
  const [members, setMembers] = useState<Member[]>([{ name: ownNameOf(me), email: '' }])
  const [address, setAddress] = useState<Resource['address']>(null)
  // Links are shown once, so those made before a failure must survive it.
  const links = useRef<InvitationLink[]>([])
  const [isHanding, setHanding] = useState(false)
  // The member whose entry was refused.
  const [stuck, setStuck] = useState(0)
  const { busy, run, errorAt } = useSubmit()
  const list = useRef<HTMLDivElement>(null)
  const settle = useUnsaved(members.some(one => one.name !== '' && !one.isMade) && members.length > 1)
  const put = (index: number, part: Partial<Member>) =>
    setMembers(before => before.map((one, at) => (at === index ? { ...one, ...part } : one)))
  const add = () => {
    flushSync(() => setMembers([...members, { name: '', email: '' }]))
    list.current!.querySelector<HTMLElement>('.member:last-child input')?.focus()
  }
  const remove = (member: Member) => {
    const index = members.indexOf(member)
    flushSync(() => setMembers(members.filter(one => one !== member)))
    list.current!.querySelectorAll<HTMLElement>('.member')[index - 1]?.querySelector('input')?.focus()
  }

  const submit = async (event: Event) => {
    event.preventDefault()
    onBegin()
    const isDone = await run(async () => {
      for (const [index, member] of members.entries()) {
        if (index > 0 && isEmpty(member)) continue
        setStuck(index)
        const body = { publicName: member.name.trim(), address }
        if (!member.isMade) await api.post(`/providers/${provider.uuid}/resources`, body)
        put(index, { isMade: true })
        if (member.isInvited || member.email.trim() === '') continue
        const link = await invite(provider.uuid, member)
        put(index, { isInvited: true })
        if (link) links.current.push({ name: member.name, link })
      }
      return true
    })
    if (!isDone) return
    settle()
    if (links.current.length > 0) setHanding(true)
    else await onDone()
  }
  if (isHanding) return <Handing links={links.current} onDone={onDone} />
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <MailServerNote text={texts.noServer} />
      <div ref={list} class="stack">
        {members.map((member, index) => (
          <div key={index} class="member">
            <TextField
              label={texts.memberName(index + 1)}
              {...(index === 0 ? { hint: texts.resourceNameHint } : {})}
              value={member.name}
              disabled={member.isMade ?? false}
              onInput={name => put(index, { name })}
              error={index === stuck ? errorAt('publicName') : null}
            />
            <TextField
              label={texts.memberEmail(index + 1)}
              {...(index === 0 ? { hint: texts.memberEmailHint } : {})}
              type="email"
              value={member.email}
              disabled={member.isInvited ?? false}
              onInput={email => put(index, { email })}
              error={index === stuck ? errorAt('email') : null}
            />
            {index > 0 && !member.isMade && (
              <Button
                kind="quiet"
                label={`${common.remove}: ${member.name || index + 1}`}
                onClick={() => remove(member)}
              >
                ✕
              </Button>
            )}
          </div>
        ))}
      </div>
      <div>
        <Button onClick={add}>{texts.addMember}</Button>
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

const isEmpty = ({ name, email }: Member) => name.trim() === '' && email.trim() === ''

/** The links replace the form, so they take the focus. */
function Handing({ links, onDone }: { links: InvitationLink[]; onDone: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current!.focus(), [])
  return (
    <div ref={place} class="stack" tabIndex={-1}>
      <InvitationLinks links={links} />
      <div>
        <Button kind="main" onClick={onDone}>
          {texts.continue}
        </Button>
      </div>
    </div>
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
