import { useState } from 'preact/hooks'
import { browserZone } from '#shared/zones.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { may, useProvider, useSession } from '../../session.ts'
import { shell } from '../../shell-words.ts'
import { format, instant, moment } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { InvitationDialog, type InvitationLink } from '../../ui/dialogs/InvitationLinks.tsx'
import { ExportList } from '../../ui/ExportButton.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { MailServerNote } from '../../ui/MailServerNote.tsx'
import { Page, Pending } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { locale } from '../../words.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { Managers } from './Managers.tsx'
import { RoleDialog, Roles } from './RoleField.tsx'
import { UnconfirmedDetails } from './UnconfirmedDetails.tsx'
import { texts } from './words.ts'

export type Person = Schemas['StaffMember']

type Asking = { what: 'remove' | 'owner' | 'role'; person: Person }

/** The team of a Provider: invite, remove, transfer ownership. */
export default function People() {
  const { me, hasMailServer } = useSession()
  const [links, setLinks] = useState<InvitationLink | null>(null)
  const provider = useProvider()
  const path = `/providers/${provider.uuid}/people` as const
  const [isInviting, setInviting] = useState(false)
  const [asking, setAsking] = useState<Asking | null>(null)
  const loaded = useLoad(`people-${provider.uuid}`, signal => api.get(path, { signal }))
  const { busy, run } = useSubmit()
  const again = (person: Person) =>
    run(async () => {
      const invitation = await api.post(`${path}/${person.uuid}/invite`)
      if (invitation) setLinks({ name: person.name, link: invitation.link })
      else showToast(hasMailServer ? texts.newLinkSent : texts.notSent(person.name))
      return true
    })
  const settle = async (person: Person, keep: boolean, mark: string) => {
    await run(async () => {
      await api.post(`${path}/${person.uuid}/details`, { keep, mark })
      showToast(keep ? texts.confirmed : texts.detailsDeleted)
    })
    // Shows details that changed in the meantime.
    void loaded.reload()
  }
  const done = () => {
    setAsking(null)
    void loaded.reload()
  }
  return (
    <Page
      title={shell.people}
      action={
        <>
          <ExportList
            file={shell.people}
            heads={[common.name, common.emailAddress, texts.role]}
            cells={(one: Person) => [one.name, one.email, texts[one.role]]}
            rows={loaded.data?.people}
          />
          <Button kind="main" onClick={() => setInviting(true)}>
            {texts.invite}
          </Button>
        </>
      }
    >
      <p class="soft">{texts.intro(provider.name)}</p>
      <MailServerNote text={texts.noServer} />
      <Pending of={loaded} rows={3} />
      <ul class="lines">
        {loaded.data?.people.map(person => (
          <li key={person.uuid}>
            <span class="wrap">
              <strong>{person.name}</strong>
              <br />
              <span class="soft">
                {person.email} · {seen(person)}
              </span>{' '}
              {isAway(person) && <Chip tone="wait">{monthsAgo(person.lastLoginAt!)}</Chip>}
              {person.unconfirmed && (
                <UnconfirmedDetails
                  person={person}
                  busy={busy}
                  onAnswer={keep => settle(person, keep, person.unconfirmed!.mark)}
                />
              )}
            </span>
            <span class="row">
              <Chip tone="plain">{texts[person.role]}</Chip>
              <Button busy={busy} label={`${linkFor(person)}: ${person.name}`} onClick={() => again(person)}>
                {linkFor(person)}
              </Button>
              {person.role !== 'owner' && (
                <>
                  <Button
                    label={`${texts.changeRole}: ${person.name}`}
                    onClick={() => setAsking({ what: 'role', person })}
                  >
                    {texts.changeRole}
                  </Button>
                  <Button
                    kind="danger"
                    label={`${common.remove}: ${person.name}`}
                    onClick={() => setAsking({ what: 'remove', person })}
                  >
                    {common.remove}
                  </Button>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <Roles />
      {may(me, 'crm') && <Managers />}
      {isInviting && (
        <InviteDialog
          path={path}
          language={provider.language}
          onClose={() => setInviting(false)}
          onDone={(name, link) => {
            setInviting(false)
            if (link) setLinks({ name, link })
            else showToast(hasMailServer ? texts.invited(name) : texts.notSent(name))
            void loaded.reload()
          }}
        />
      )}
      {links && <InvitationDialog links={links} onClose={() => setLinks(null)} />}
      {asking?.what === 'role' && (
        <RoleDialog
          path={path}
          person={asking.person}
          onOwner={() => setAsking({ what: 'owner', person: asking.person })}
          onDone={done}
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.what === 'remove' && (
        <ConfirmDialog
          title={asking.person.name}
          action={common.remove}
          work={() => api.remove(`${path}/${asking.person.uuid}`)}
          onClose={() => setAsking(null)}
          onDone={() => {
            showToast(texts.removed(asking.person.name))
            done()
          }}
        >
          <p>{texts.removeText(asking.person.name)}</p>
        </ConfirmDialog>
      )}
      {asking?.what === 'owner' && (
        <ConfirmDialog
          title={texts.makeOwner}
          action={texts.makeOwner}
          work={() => api.post(`${path}/${asking.person.uuid}/owner`)}
          onClose={() => setAsking(null)}
          onDone={done}
        >
          <p>{texts.ownerText(asking.person.name)}</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}

/** People without a login get their first invitation, everyone else a new link. */
const linkFor = ({ hasLogin }: Person) => (hasLogin ? texts.sendNewLink : texts.inviteFirst)

function seen({ hasLogin, lastLoginAt }: Person): string {
  if (!hasLogin) return texts.noLogin
  return `${texts.lastLogin}: ${lastLoginAt ? dateOf(lastLoginAt) : common.never}`
}

const dayMs = 86_400_000
const longMs = 90 * dayMs

const isLongAgo = (lastLoginAt: string) => Date.now() - instant(lastLoginAt) > longMs

/** Of long ago, the day with its year. */
const dateOf = (lastLoginAt: string) =>
  isLongAgo(lastLoginAt) ? format.fullDay(instant(lastLoginAt), browserZone()) : moment(lastLoginAt)

const ago = new Intl.RelativeTimeFormat(locale.tag)
const monthsAgo = (lastLoginAt: string) =>
  ago.format(-Math.floor((Date.now() - instant(lastLoginAt)) / (30 * dayMs)), 'month')

/** They may no longer need their login. */
const isAway = ({ hasLogin, lastLoginAt }: Person) =>
  hasLogin && lastLoginAt !== null && isLongAgo(lastLoginAt)
