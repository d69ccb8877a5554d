import { api } from '../../../api.ts'
import { common } from '../../../common-words.ts'
import { useLoad } from '../../../load.ts'
import { useProvider } from '../../../session.ts'
import { format, instant } from '../../../time.ts'
import { Dialog, DialogButtons } from '../../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../../ui/editing/use-submit.ts'
import { NotifyFields, useNotification } from '../../../ui/fields/NotifyFields.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { resourceTexts } from './resource-words.ts'

type Props = { uuid: string; name: string; onClose: () => void; onDone: () => void }

/** Shows the affected appointments before a Resource is deleted. */
export function DeleteDialog({ uuid, name, onClose, onDone }: Props) {
  const { timeZone } = useProvider()
  const { data } = useLoad(`deletion-${uuid}`, signal => api.get(`/resources/${uuid}/deletion`, { signal }))
  const [notification, setNotification] = useNotification()
  const { busy, run } = useSubmit()
  const remove = async () => {
    const { sendMails, message } = notification
    const done = await run(async () => {
      await api.remove(`/resources/${uuid}`, { query: { sendMails, message: message || null } })
      return true
    })
    if (!done) return
    showToast(resourceTexts.removed(name))
    onDone()
  }
  return (
    <Dialog title={common.deleteTitle(name)} onClose={onClose}>
      <p>{resourceTexts.removeText}</p>
      <p>
        <strong>
          {data ? resourceTexts.affectedAppointments(data.appointments, data.peopleCount) : common.loading}
        </strong>
      </p>
      {data && data.people.length > 0 && (
        <>
          <ul class="lines short">
            {data.people.map(({ name, start }, index) => (
              <li key={index}>
                <span>{name ?? '–'}</span>
                <time dateTime={start}>
                  {format.fullDay(instant(start), timeZone)}, {format.time(instant(start), timeZone)}
                </time>
              </li>
            ))}
          </ul>
          <NotifyFields notification={notification} onChange={setNotification} />
        </>
      )}
      <DialogButtons
        onClose={onClose}
        action={resourceTexts.deletePermanently}
        kind="danger"
        busy={busy}
        disabled={!data}
        onClick={remove}
      />
    </Dialog>
  )
}
