import { flushSync } from 'preact/compat'
import { useRef, useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { ListedResource, Resource } from '../../records.ts'
import { useProvider, useSession } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { type InvitationLink, InvitationLinks } from '../../ui/dialogs/InvitationLinks.tsx'
import { useKeptInput } from '../../ui/editing/kept-input.ts'
import { renewedRows } from '../../ui/editing/kept-rows.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { MailServerNote } from '../../ui/MailServerNote.tsx'
import { AddressFields } from '../offers/resources/ResourceFields.tsx'
import { ownNameOf } from './forms.tsx'
import { forgetLinks, type Invited, invite, linkOf } from './invite.ts'
import { StepForm } from './StepForm.tsx'
import { texts } from './words.ts'

type Address = Resource['address']
type Member = { name: string; email: string; uuid?: string; saved?: { name: string } } & Partial<Invited>
/** The address only if it was typed, with the one that it replaces. */
type Entered = { members: Member[]; move: { from: Address; to: Address } | null }

const memberOf = ({ uuid, publicName }: ListedResource): Member => ({
  uuid,
  name: publicName,
  saved: { name: publicName },
  email: '',
})

type Props = { team: ListedResource[]; keptAs: string; onDone: () => Promise<void> }

/** Who can be booked and where. An email address also invites the person to the console. */
export function Team({ team, keptAs, onDone }: Props) {
  const { me } = useSession()
  const provider = useProvider()
  const known = team.length > 0 ? team.map(memberOf) : [{ name: ownNameOf(me), email: '' }]
  const [{ members, move }, change, forget] = useKeptInput<Entered>(
    keptAs,
    { members: known, move: null },
    kept => ({ ...kept, members: renewedRows(kept.members, known) }),
  )
  const before = team[0]?.address ?? null
  const address = move ? move.to : before
  const setMembers = (next: (members: Member[]) => Member[]) =>
    change(entered => ({ ...entered, members: next(entered.members) }))
  const setAddress = (to: Address) =>
    change(entered => ({ ...entered, move: { from: entered.move ? entered.move.from : before, to } }))
  const [isHanding, setHanding] = useState(false)
  const links = members.flatMap(linkOf)
  // The member whose entry was refused.
  const [stuck, setStuck] = useState(0)
  const { run, errorAt } = useSubmit()
  const list = useRef<HTMLDivElement>(null)
  const put = (index: number, part: Partial<Member>) =>
    setMembers(before => before.map((one, at) => (at === index ? { ...one, ...part } : one)))
  const add = () => {
    flushSync(() => setMembers(before => [...before, { name: '', email: '' }]))
    list.current!.querySelector<HTMLElement>('.member:last-child input')?.focus()
  }
  const remove = (member: Member) => {
    const index = members.indexOf(member)
    flushSync(() => setMembers(before => before.filter((_, at) => at !== index)))
    list.current!.querySelectorAll<HTMLElement>('.member')[index - 1]?.querySelector('input')?.focus()
  }

  // Kept until the links are passed on: Back leads to the same people.
  const finish = async () => {
    forget()
    await onDone()
    forgetLinks()
  }
  const submit = async () => {
    let isHanded = false
    const isMoved = move !== null && JSON.stringify(move.to) !== JSON.stringify(move.from)
    const isDone = await run(async () => {
      for (const [index, member] of members.entries()) {
        if (index > 0 && isEmpty(member)) continue
        setStuck(index)
        const uuid = await save(provider.uuid, member, address, isMoved)
        put(index, { uuid, saved: { name: member.name } })
        if (member.email.trim() === '') continue
        put(index, await invite(provider.uuid, { ...member, uuid }))
        isHanded ||= linkOf({ ...member, uuid }).length > 0
      }
      return true
    })
    if (!isDone) return
    if (isHanded) setHanding(true)
    else await finish()
  }
  if (isHanding) return <Handing links={links} onDone={finish} />
  return (
    <StepForm onSubmit={submit}>
      <MailServerNote text={texts.noServer} />
      <div ref={list} class="stack">
        {members.map((member, index) => (
          <div key={index} class="member">
            <TextField
              label={texts.memberName(index + 1)}
              {...(index === 0 ? { hint: texts.resourceNameHint } : {})}
              value={member.name}
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
            {index > 0 && !member.uuid && (
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
    </StepForm>
  )
}

/** A row without any input. One that is saved misses its name. */
const isEmpty = ({ uuid, name, email }: Member) => !uuid && name.trim() === '' && email.trim() === ''

/** The links replace the form, so they take the focus. */
function Handing({ links, onDone }: { links: InvitationLink[]; onDone: () => Promise<void> }) {
  return (
    <StepForm onSubmit={onDone}>
      <InvitationLinks links={links} />
    </StepForm>
  )
}

/** The internal name follows the public one as long as they are the same. */
async function save(
  provider: string,
  { uuid, saved, name }: Member,
  address: Address,
  isMoved: boolean,
): Promise<string> {
  const publicName = name.trim()
  if (!uuid) return (await api.post(`/providers/${provider}/resources`, { publicName, address })).uuid
  const isRenamed = publicName !== saved?.name
  if (!isRenamed && !isMoved) return uuid
  const { internalName } = await api.get(`/resources/${uuid}`)
  const names = { publicName, ...(internalName === saved?.name && { internalName: publicName }) }
  await api.patch(`/resources/${uuid}`, { ...(isRenamed && names), ...(isMoved && { address }) })
  return uuid
}
