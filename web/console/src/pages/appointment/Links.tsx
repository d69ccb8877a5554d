import type { AppointmentPage, Entry } from '../../records.ts'
import { CopyBox } from '../../ui/dialogs/CopyBox.tsx'
import { texts } from './words.ts'

type Props = { entry: Entry; links: AppointmentPage['links'] }

/** The links from the customer's emails, for customers who have none or lost it. */
export function Links({ entry, links }: Props) {
  if (links.length === 0) return null
  const nameOf = (uuid: string) => entry.people.find(one => one.uuid === uuid)?.name ?? '–'
  return (
    <details>
      <summary>{texts.links}</summary>
      <div class="stack">
        <p class="soft">{texts.linksHint}</p>
        {links.map(one => (
          <section key={one.participationUuid} class="stack">
            {links.length > 1 && <h3>{nameOf(one.participationUuid)}</h3>}
            <CopyBox label={texts.linkMove} text={one.move} />
            <CopyBox label={texts.linkCancel} text={one.cancel} />
            <CopyBox label={texts.linkShow} text={one.confirmation} />
          </section>
        ))}
      </div>
    </details>
  )
}
