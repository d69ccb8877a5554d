import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { useLoad } from '../../load.ts'
import type { Schemas } from '../../records.ts'
import { may, useSession } from '../../session.ts'
import { moment } from '../../time.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { InvitationDialog, type InvitationLink } from '../../ui/dialogs/InvitationLinks.tsx'
import { ExportList } from '../../ui/ExportButton.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { SelectField, TextField } from '../../ui/fields/Field.tsx'
import { Pending, SectionHead } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './words.ts'

type Login = Schemas['Login']

type Props = { title?: string; text?: string; isWanted?: (login: Login) => boolean }

/** Administrators and operators, or all logins. */
export function Managers({
  title = texts.managers,
  text = texts.managersText,
  isWanted = login => login.role !== 'staff',
}: Props) {
  const { me } = useSession()
  const [isInviting, setInviting] = useState(false)
  const [links, setLinks] = useState<InvitationLink | null>(null)
  const [removing, setRemoving] = useState<Login | null>(null)
  const [resetting, setResetting] = useState<Login | null>(null)
  const loaded = useLoad('logins', signal => api.get('/logins', { signal }))
  const { busy, run } = useSubmit()
  const logOut = (login: Login) =>
    run(async () => {
      const { ended } = await api.post(`/logins/${login.uuid}/logout`)
      showToast(texts.loggedOut(ended))
      await loaded.reload()
    })
  return (
    <section class="stack" aria-labelledby="managers">
      <SectionHead
        id="managers"
        title={title}
        text={text}
        action={
          <>
            <ExportList
              file={title}
              heads={[common.name, common.emailAddress, texts.role, 'CRM', texts.lastLogin]}
              cells={(one: Login) => [one.name, one.email, texts[one.role], one.crm, one.lastLoginAt]}
              rows={loaded.data?.logins.filter(isWanted)}
            />
            <Button onClick={() => setInviting(true)}>{texts.inviteManager}</Button>
          </>
        }
      />
      <Pending of={loaded} rows={2} />
      <ul class="lines">
        {loaded.data?.logins.filter(isWanted).map(login => (
          <li key={login.uuid}>
            <span class="wrap">
              <strong>{login.name}</strong>
              <br />
              <span class="soft">
                {[
                  login.email,
                  login.crm,
                  `${texts.lastLogin}: ${login.lastLoginAt ? moment(login.lastLoginAt) : common.never}`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <span class="row">
              <Chip tone="plain">{texts[login.role]}</Chip>
              {login.uuid !== me.uuid && (
                <>
                  {may(me, 'service') && login.hasTotp && (
                    <Button label={`${texts.resetFactor}: ${login.name}`} onClick={() => setResetting(login)}>
                      {texts.resetFactor}
                    </Button>
                  )}
                  <Button
                    busy={busy}
                    label={`${texts.logOut}: ${login.name}`}
                    disabled={login.sessions === 0}
                    onClick={() => logOut(login)}
                  >
                    {texts.logOut}
                  </Button>
                  <Button
                    kind="danger"
                    label={`${common.remove}: ${login.name}`}
                    onClick={() => setRemoving(login)}
                  >
                    {common.remove}
                  </Button>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {isInviting && (
        <InviteManager
          onClose={() => setInviting(false)}
          onDone={(email, link) => {
            setInviting(false)
            if (link) setLinks({ name: email, link })
            else showToast(texts.invited(email))
            void loaded.reload()
          }}
        />
      )}
      {resetting && (
        <ConfirmDialog
          title={resetting.name}
          action={texts.resetFactor}
          work={() => api.remove(`/logins/${resetting.uuid}/totp`)}
          onClose={() => setResetting(null)}
          onDone={() => {
            showToast(texts.factorReset)
            setResetting(null)
            void loaded.reload()
          }}
        >
          <p>{texts.resetFactorText(resetting.name)}</p>
        </ConfirmDialog>
      )}
      {links && <InvitationDialog links={links} onClose={() => setLinks(null)} />}
      {removing && (
        <ConfirmDialog
          title={removing.name}
          action={common.remove}
          work={() => api.remove(`/logins/${removing.uuid}`)}
          onClose={() => setRemoving(null)}
          onDone={() => {
            showToast(texts.removed(removing.name))
            setRemoving(null)
            void loaded.reload()
          }}
        >
          <p>{texts.removeLoginText(removing.name)}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

type InviteProps = { onDone: (email: string, link: string | null) => void; onClose: () => void }

function InviteManager({ onDone, onClose }: InviteProps) {
  const { me, provider } = useSession()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<'administrator' | 'operator'>('administrator')
  const [crm, setCrm] = useState(me.crm ?? provider?.crm ?? '')
  const crms = useLoad('crms', signal => api.get('/crms', { signal }))
  const { busy, run, errorAt } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = { email, name: name.trim() || null, role, crm: role === 'administrator' ? crm : null }
    const made = await run(() => api.post('/logins', body))
    if (made) onDone(email, made.invitation?.link ?? null)
  }
  const roles = [
    { value: 'administrator' as const, label: texts.administrator },
    { value: 'operator' as const, label: texts.operator },
  ]
  return (
    <Dialog title={texts.inviteManager} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <TextField
          label={common.emailAddress}
          type="email"
          required
          value={email}
          onInput={setEmail}
          error={errorAt('email')}
        />
        <TextField label={common.name} value={name} onInput={setName} error={errorAt('name')} />
        {may(me, 'service') && (
          <SelectField label={texts.role} value={role} options={roles} onChange={setRole} />
        )}
        {role === 'administrator' && (
          <SelectField
            label={common.crm}
            value={crm}
            options={(crms.data?.crms ?? [{ name: crm }]).map(one => ({ value: one.name, label: one.name }))}
            onChange={setCrm}
            error={errorAt('crm')}
          />
        )}
        <DialogButtons onClose={onClose} action={texts.send} busy={busy} />
      </form>
    </Dialog>
  )
}
