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
    [texts.mobile, mobile],
  ].filter(([, value]) => value)
  return (
    <span class="stack">
      <span>{texts.unconfirmedDetails}</span>
      {lines.map(([label, value]) => (
        <span key={label}>
          {label}: <strong>{value}</strong>
        </span>
      ))}
      <span class="row">
        <Button busy={busy} label={`${texts.correct}: ${person.name}`} onClick={() => onAnswer(true)}>
          {texts.correct}
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
