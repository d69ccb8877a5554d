import { api, Problem } from '../../api.ts'
import { common } from '../../common-words.ts'
import { requestsChanged } from '../../live-changes.ts'
import { type Entry, nameOf, type Person, peopleIn } from '../../records.ts'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './words.ts'

/** The state before the cancellation. */
type Former = { uuid: string; name: string; people: Pick<Person, 'uuid' | 'state'>[] }

export const stateBefore = (entry: Entry): Former => ({
  uuid: entry.uuid,
  name: nameOf(entry),
  people: peopleIn(entry),
})

/**
 * Undoes a cancellation that no email was sent about. If the time has been taken since, a warning asks to
 * confirm.
 */
export const undoCancel = (cancelled: Former[], onDone: () => void) => async () => {
  const taken: Former[] = []
  for (const one of cancelled)
    await restore(one, false).catch(error => {
      if (!isTaken(error)) throw error
      taken.push(one)
    })
  if (taken.length < cancelled.length) showToast(texts.restored)
  for (const one of taken)
    showToast(texts.sinceTaken(one.name), {
      tone: 'bad',
      label: common.doAnyway,
      undo: () => restore(one, true).then(onDone),
    })
  requestsChanged()
  onDone()
}

const restore = ({ uuid, people }: Former, ignoreConflicts: boolean) =>
  api.post(
    `/appointments/${uuid}/restore`,
    { people: people.flatMap(({ uuid, state }) => (isPromise(state) ? [{ uuid, state }] : [])) },
    { query: { ignoreConflicts, sendMails: false } },
  )

const isPromise = (state: Person['state']): state is 'BOOKED' | 'REQUESTED' =>
  state === 'BOOKED' || state === 'REQUESTED'

const isTaken = (error: unknown) =>
  error instanceof Problem && (error.code === 'conflict' || error.code === 'capacity-exceeded')
