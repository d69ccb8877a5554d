import { Fragment } from 'preact'
import { addressLine } from '../../address.ts'
import { type Entry, isIn, type Person } from '../../records.ts'
import { instant, timeRange } from '../../time.ts'
import { Chip } from '../../ui/Chip.tsx'
import { StateChip } from '../../ui/StateChip.tsx'
import { texts } from './words.ts'

/** A row for each person, so that each can be ticked off. */
export function Rows({ entries, zone }: { entries: Entry[]; zone: string }) {
  const now = Date.now()
  return (
    <div class="table-frame">
      <table class="table today">
        <thead>
          <tr>
            <th>{texts.time}</th>
            <th>{texts.who}</th>
            <th>{texts.what}</th>
            <th>{texts.where}</th>
            <th>{texts.state}</th>
            <th>{texts.note}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(entry => (
            <Fragment key={entry.uuid}>
              {shown(entry).map((person, index) => (
                <tr
                  key={person?.uuid ?? entry.uuid}
                  class={isNow(entry, now) ? 'now' : entry.state === 'ACTIVE' ? '' : 'off'}
                >
                  <td>
                    {index === 0 && (
                      <time dateTime={entry.start}>{timeRange(entry.start, entry.end, zone)}</time>
                    )}
                    {index === 0 && isNow(entry, now) && <span class="soft"> · {texts.now}</span>}
                  </td>
                  <th scope="row">
                    {person ? (person.name ?? '–') : <span class="soft">{texts.nobody}</span>}
                  </th>
                  <td>{index === 0 && <What entry={entry} />}</td>
                  <td>
                    {index === 0 && (
                      <>
                        {entry.resource.name}
                        <br />
                        <span class="soft">{addressLine(entry.address)}</span>
                      </>
                    )}
                  </td>
                  <td>
                    {entry.state === 'CANCELLED' && <Chip tone="off">{texts.cancelled}</Chip>}
                    {person && entry.state === 'ACTIVE' && <StateChip person={person} />}
                  </td>
                  <td class="note">
                    {[person?.note, index === 0 ? entry.notes : null].filter(Boolean).join(' · ')}
                  </td>
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function What({ entry }: { entry: Entry }) {
  const left = entry.capacity - taken(entry)
  return (
    <>
      <a href={`?appointment=${entry.uuid}`}>{entry.product.name}</a>
      {entry.capacity > 1 && <span class="soft"> · {texts.free(Math.max(0, left), entry.capacity)}</span>}
    </>
  )
}

const taken = ({ people }: Entry) => people.filter(isIn).length

/** Those who come; an Appointment without anybody has a row too. */
function shown(entry: Entry): (Person | null)[] {
  const people = entry.state === 'ACTIVE' ? entry.people.filter(isIn) : entry.people
  return people.length > 0 ? people : [null]
}

const isNow = ({ start, end, state }: Entry, now: number) =>
  state === 'ACTIVE' && instant(start) <= now && now < instant(end)
