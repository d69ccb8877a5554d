import { useState } from 'preact/hooks'
import type { Language } from '#shared/texts/index.ts'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { LanguageField } from '../../ui/PlaceFields.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
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
        <TextField
          label={texts.email}
          type="email"
          required
          value={fields.email}
          onInput={email => change({ email })}
          error={errorAt('email')}
        />
        <TextField
          label={texts.firstName}
          value={fields.firstName}
          onInput={firstName => change({ firstName })}
          error={errorAt('firstName')}
        />
        <TextField
          label={texts.lastName}
          required
          value={fields.lastName}
          onInput={lastName => change({ lastName })}
          error={errorAt('lastName')}
        />
        <RoleField value={membership} onChange={setMembership} error={errorAt('resources')} />
        <LanguageField
          label={texts.language}
          value={fields.language}
          onChange={language => change({ language })}
        />
        <div class="dialog-end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={busy}>
            {texts.send}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
