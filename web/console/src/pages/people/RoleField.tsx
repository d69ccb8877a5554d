import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { Button, ButtonFor } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import type { Person } from './People.tsx'
import { texts } from './words.ts'

export type MemberRole = Exclude<Person['role'], 'owner'>

const roles = Object.keys(texts.hints) as MemberRole[]

/** The hint below says what the chosen role may do. */
export function RoleField({ value, onChange }: { value: MemberRole; onChange: (role: MemberRole) => void }) {
  return (
    <SelectField
      label={texts.role}
      hint={texts.hints[value]}
      value={value}
      options={roles.map(role => ({ value: role, label: texts[role] }))}
      onChange={onChange}
    />
  )
}

type Props = {
  path: `/providers/${string}/people`
  person: Person
  /** They ask to make this person the owner instead. */
  onOwner: () => void
  onDone: () => void
  onClose: () => void
}

export function RoleDialog({ path, person, onOwner, onDone, onClose }: Props) {
  const [role, setRole] = useState(person.role as MemberRole)
  const { busy, run } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!(await run(() => api.patch(`${path}/${person.uuid}`, { role })))) return
    showToast(common.saved)
    onDone()
  }
  return (
    <Dialog title={person.name} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <RoleField value={role} onChange={setRole} />
        <p>
          <ButtonFor right="transfer" onClick={onOwner}>
            {texts.makeOwner}
          </ButtonFor>
        </p>
        <div class="dialog-end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={busy}>
            {common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
