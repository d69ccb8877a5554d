import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { useProvider, useSession } from '../../session.ts'
import { moment } from '../../time.ts'
import { Ask } from '../../ui/Ask.tsx'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Page, Skeleton, Trouble } from '../../ui/Page.tsx'
import { say } from '../../ui/toasts.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { Managers } from './Managers.tsx'
import { SaidOf } from './SaidOf.tsx'
import { texts } from './words.ts'

export type Person = Schemas['StaffMember']

type Asking = { what: 'remove' | 'owner'; person: Person }

/** Who works here: invite, remove, hand over. */
export default function People() {
  const { me } = useSession()
  const provider = useProvider()
  const path = `/providers/${provider.uuid}/people` as const
  const [isInviting, setInviting] = useState(false)
  const [asking, setAsking] = useState<Asking | null>(null)
  const loaded = useLoad(`people-${provider.uuid}`, signal => api.get(path, { signal }))
  const { busy, run } = useSending()
  const again = (person: Person) =>
    run(async () => {
      await api.post(`${path}/${person.uuid}/invite`)
      say(texts.sentAgain)
    })
  const settle = async (person: Person, keep: boolean, mark: string) => {
    await run(async () => {
      await api.post(`${path}/${person.uuid}/details`, { keep, mark })
      say(keep ? texts.kept : texts.dropped)
    })
    // Where something else was said meanwhile, it is shown.
    void loaded.reload()
  }
  const done = () => {
    setAsking(null)
    void loaded.reload()
  }
  return (
    <Page
      title={texts.title}
      action={
        <Button kind="main" onClick={() => setInviting(true)}>
          {texts.invite}
        </Button>
      }
    >
      <p class="soft">{texts.intro(provider.name)}</p>
      {loaded.problem && <Trouble problem={loaded.problem} onRetry={loaded.reload} />}
      {loaded.isLoading && <Skeleton rows={3} />}
      <ul class="lines">
        {loaded.data?.people.map(person => (
          <li key={person.uuid}>
            <span class="wrap">
              <strong>{person.name}</strong>
              <br />
              <span class="soft">
                {person.email} · {seen(person)}
              </span>
              {person.unconfirmed && (
                <SaidOf
                  person={person}
                  busy={busy}
                  onAnswer={keep => settle(person, keep, person.unconfirmed!.mark)}
                />
              )}
            </span>
            <span class="row">
              <Chip tone={person.role === 'owner' ? 'good' : 'plain'}>{texts[person.role]}</Chip>
              <Button busy={busy} label={`${linkFor(person)}: ${person.name}`} onClick={() => again(person)}>
                {linkFor(person)}
              </Button>
              {person.role === 'staff' && (
                <>
                  <Button
                    label={`${texts.makeOwner}: ${person.name}`}
                    onClick={() => setAsking({ what: 'owner', person })}
                  >
                    {texts.makeOwner}
                  </Button>
                  <Button
                    kind="danger"
                    label={`${texts.remove}: ${person.name}`}
                    onClick={() => setAsking({ what: 'remove', person })}
                  >
                    {texts.remove}
                  </Button>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {me.role !== 'staff' && <Managers />}
      {isInviting && (
        <InviteDialog
          path={path}
          language={provider.language}
          onClose={() => setInviting(false)}
          onDone={name => {
            setInviting(false)
            say(texts.invited(name))
            void loaded.reload()
          }}
        />
      )}
      {asking?.what === 'remove' && (
        <Ask
          title={asking.person.name}
          action={texts.remove}
          work={() => api.remove(`${path}/${asking.person.uuid}`)}
          onClose={() => setAsking(null)}
          onDone={() => {
            say(texts.removed(asking.person.name))
            done()
          }}
        >
          <p>{texts.removeText(asking.person.name)}</p>
        </Ask>
      )}
      {asking?.what === 'owner' && (
        <Ask
          title={texts.makeOwner}
          action={texts.makeOwner}
          work={() => api.post(`${path}/${asking.person.uuid}/owner`)}
          onClose={() => setAsking(null)}
          onDone={done}
        >
          <p>{texts.ownerText(asking.person.name)}</p>
        </Ask>
      )}
    </Page>
  )
}

/** Whoever has never been invited gets no new link, but a first one. */
const linkFor = ({ hasLogin }: Person) => (hasLogin ? texts.again : texts.first)

function seen({ hasLogin, lastLoginAt }: Person): string {
  if (!hasLogin) return texts.noLogin
  return `${texts.lastLogin}: ${lastLoginAt ? moment(lastLoginAt) : texts.never}`
}
