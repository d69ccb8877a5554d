import { useState } from 'preact/hooks'
import type { Language } from '#shared/texts/index.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { binder } from '../../ui/editing/binder.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { TextField } from '../../ui/fields/Field.tsx'
import { LanguageField } from '../../ui/fields/PlaceFields.tsx'
import { type Membership, RoleField } from './RoleField.tsx'
import { texts } from './words.ts'

type Props = {
  path: `/providers/${string}/people`
  language: Language
  /** `link` is set if no email could be sent. */
  onDone: (name: string, link: string | null) => void
  onClose: () => void
}

export function InviteDialog({ path, language: usual, onDone, onClose }: Props) {
  const [fields, set] = useState({
    email: '',
    firstName: '',
    lastName: '',
    language: usual,
  })
  const [membership, setMembership] = useState<Membership>({ role: 'staff', resources: [] })
  const change = (part: Partial<typeof fields>) => set(before => ({ ...before, ...part }))
  const { busy, run, errorAt } = useSubmit()
  const bind = binder(fields, change, errorAt)
  const submit = async (event: Event) => {
    event.preventDefault()
    const { email, lastName, language } = fields
    const firstName = fields.firstName.trim() || null
    const made = await run(() => api.post(path, { email, firstName, lastName, language, ...membership }))
    if (made) onDone(`${firstName ?? ''} ${lastName}`.trim(), made.invitation?.link ?? null)
  }
  return (
    <Dialog title={texts.invite} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <p>{texts.inviteText}</p>
        <TextField label={common.emailAddress} type="email" required {...bind.value('email')} />
        <TextField label={texts.firstName} {...bind.value('firstName')} />
        <TextField label={texts.lastName} required {...bind.value('lastName')} />
        <RoleField value={membership} onChange={setMembership} error={errorAt('resources')} />
        <LanguageField
          label={common.language}
          value={fields.language}
          onChange={language => change({ language })}
        />
        <DialogButtons onClose={onClose} action={texts.send} busy={busy} />
      </form>
    </Dialog>
  )
}
