import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import type { Schemas } from '../../records.ts'
import { ButtonFor } from '../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { CheckField, SelectField } from '../../ui/fields/Field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useResources } from '../offers/offers.ts'
import { texts } from './words.ts'

type Person = Schemas['StaffMember']
type MemberRole = Exclude<Person['role'], 'owner'>

/** `resources`: the calendars of a practitioner. */
export type Membership = { role: MemberRole; resources: string[] }

const roles = Object.keys(texts.hints) as MemberRole[]

type FieldProps = {
  value: Membership
  onChange: (value: Membership) => void
  /** About the calendars. */
  error: string | null
}

/** The hint below says what the chosen role may do. */
export function RoleField({ value, onChange, error }: FieldProps) {
  return (
    <>
      <SelectField
        label={texts.role}
        hint={texts.hints[value.role]}
        value={value.role}
        options={roles.map(role => ({ value: role, label: texts[role] }))}
        onChange={role => onChange({ ...value, role })}
      />
      {value.role === 'practitioner' && (
        <Calendars
          value={value.resources}
          onChange={resources => onChange({ ...value, resources })}
          error={error}
        />
      )}
    </>
  )
}

/** Stands below the list of people: no dialog is needed to learn it. */
export const Roles = () => (
  <section class="card stack tight" aria-labelledby="roles">
    <h2 id="roles">{texts.rolesTitle}</h2>
    <dl class="terms">
      {(['owner', ...roles] as const).map(role => (
        <div key={role}>
          <dt>{texts[role]}</dt>
          <dd class="soft">{role === 'owner' ? texts.ownerHint : texts.hints[role]}</dd>
        </div>
      ))}
    </dl>
  </section>
)

type CalendarsProps = { value: string[]; onChange: (value: string[]) => void; error: string | null }

function Calendars({ value, onChange, error }: CalendarsProps) {
  const resources = useResources().data?.resources.filter(one => !one.archived || value.includes(one.uuid))
  const toggle = (uuid: string, isOn: boolean) =>
    onChange(isOn ? [...value, uuid] : value.filter(one => one !== uuid))
  return (
    <fieldset class="stack tight">
      <legend>{texts.calendars}</legend>
      {resources?.map(one => (
        <CheckField
          key={one.uuid}
          label={one.internalName}
          checked={value.includes(one.uuid)}
          onChange={isOn => toggle(one.uuid, isOn)}
        />
      ))}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
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
  const [value, setValue] = useState<Membership>({
    role: person.role as MemberRole,
    resources: person.resources,
  })
  const { busy, run, errorAt } = useSubmit()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!(await run(() => api.patch(`${path}/${person.uuid}`, value)))) return
    showToast(common.saved, { about: person.name })
    onDone()
  }
  return (
    <Dialog title={person.name} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <RoleField value={value} onChange={setValue} error={errorAt('resources')} />
        <p>
          <ButtonFor right="transfer" onClick={onOwner}>
            {texts.makeOwner}
          </ButtonFor>
        </p>
        <DialogButtons onClose={onClose} action={common.save} busy={busy} />
      </form>
    </Dialog>
  )
}
