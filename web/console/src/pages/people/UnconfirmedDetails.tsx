import { common } from '../../common-words.ts'
import type { Schemas } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { texts } from './words.ts'

type Props = { person: Schemas['StaffMember']; busy: boolean; onAnswer: (keep: boolean) => void }

/**
 * Anyone can book with any email address, so details entered that way stay hidden until they are confirmed.
 */
export function UnconfirmedDetails({ person, busy, onAnswer }: Props) {
  const { firstName, lastName, mobile } = person.unconfirmed!
  const lines = [
    [texts.firstName, firstName],
    [texts.lastName, lastName],
    [common.mobileNumber, mobile],
  ].filter(([_key, value]) => value)
  return (
    <span class="stack">
      <span>{texts.unconfirmedDetails}</span>
      {lines.map(([label, value]) => (
        <span key={label}>
          {label}: <strong>{value}</strong>
        </span>
      ))}
      <span class="row">
        <Button busy={busy} label={`${common.confirm}: ${person.name}`} onClick={() => onAnswer(true)}>
          {common.confirm}
        </Button>
        <Button
          kind="danger"
          busy={busy}
          label={`${texts.deleteDetails}: ${person.name}`}
          onClick={() => onAnswer(false)}
        >
          {texts.deleteDetails}
        </Button>
      </span>
    </span>
  )
}
