import { useState } from 'preact/hooks'
import { common } from '../../common-words.ts'
import { type Entry, isIn, lateBy, type Person } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { texts } from './words.ts'

type Props = { entries: Entry[]; now: number; onOpen: (uuid: string) => void }
type Seen = { entry: Entry; person: Person }

/** Who has arrived and who should have, at a glance. */
export function ArrivedAndLate({ entries, now, onOpen }: Props) {
  const people = entries
    .filter(one => one.state === 'ACTIVE' && Date.parse(one.end) > now)
    .flatMap(entry => entry.people.filter(isIn).map((person): Seen => ({ entry, person })))
  const there = people.filter(({ person }) => person.attendance === 'ATTENDED')
  const late = people.filter(({ entry, person }) => lateBy(entry, person, now) !== null)
  if (there.length + late.length === 0) return null
  return (
    <dl class="present no-print">
      <Line name={texts.hereNow} list={there} onOpen={onOpen} more={({ entry }) => entry.resource.name} />
      <Line
        name={texts.lateNow}
        list={late}
        onOpen={onOpen}
        more={({ entry, person }) => common.minutesLate(lateBy(entry, person, now)!)}
        isToCall
      />
    </dl>
  )
}

/** A single line on a desk. */
const mostNames = 3

type LineProps = {
  name: string
  list: Seen[]
  onOpen: (uuid: string) => void
  more: (seen: Seen) => string
  /** The customer should be called. */
  isToCall?: boolean
}

function Line({ name, list, onOpen, more, isToCall = false }: LineProps) {
  const [isWhole, setWhole] = useState(false)
  if (list.length === 0) return null
  const shown = isWhole || list.length <= mostNames + 1 ? list : list.slice(0, mostNames)
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <ul class={shown.length < list.length && !isToCall ? 'some' : ''}>
          {shown.map(seen => (
            <li key={seen.person.uuid} title={`${seen.person.name ?? '–'} ${more(seen)}`}>
              <a
                href={`?appointment=${seen.entry.uuid}`}
                onClick={event => {
                  event.preventDefault()
                  onOpen(seen.entry.uuid)
                }}
              >
                {seen.person.name ?? '–'}
              </a>{' '}
              <span class="soft">{more(seen)}</span>
              {isToCall && seen.person.mobile && (
                <>
                  {' · '}
                  <a class="nowrap" href={`tel:${seen.person.mobile}`}>
                    {seen.person.mobile}
                  </a>
                </>
              )}
            </li>
          ))}
          {shown.length < list.length && (
            <li>
              <Button kind="quiet" onClick={() => setWhole(true)}>
                {`${common.showAll} (${list.length})`}
              </Button>
            </li>
          )}
        </ul>
      </dd>
    </div>
  )
}
