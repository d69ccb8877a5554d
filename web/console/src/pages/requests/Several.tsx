import { useState } from 'preact/hooks'
import { api } from '../../api.ts'
import { common } from '../../common-words.ts'
import { requestsChanged } from '../../live-changes.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { NotifyFields, useNotification } from '../../ui/fields/NotifyFields.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { withEllipsis } from '../../words.ts'
import type { Waiting } from './answer.ts'
import { texts } from './words.ts'

type Props = {
  requests: Waiting[]
  chosen: Waiting[]
  onChosen: (uuids: ReadonlySet<string>) => void
  onDone: () => Promise<void>
}

/** Answers several at once. Always there, so that choosing the first moves nothing. */
export function Several({ requests, chosen, onChosen, onDone }: Props) {
  const [isDeclining, setDeclining] = useState(false)
  const [notification, setNotification] = useNotification()
  const { busy, run } = useSubmit()
  const isNone = chosen.length === 0
  const isAll = chosen.length === requests.length
  async function answer(verb: 'accept' | 'decline', { sendMails = true, message = '' } = {}) {
    let count = 0
    await run(async () => {
      for (const { uuid } of chosen) {
        await api.post(`/participations/${uuid}/decide`, {
          answer: verb,
          sendMails,
          message: message || null,
        })
        count++
      }
    })
    // After a failure, those before it are answered, and the others stay chosen.
    if (count > 0) showToast((verb === 'accept' ? texts.acceptedSeveral : texts.declinedSeveral)(count))
    onChosen(new Set(chosen.slice(count).map(one => one.uuid)))
    setDeclining(false)
    requestsChanged()
    await onDone()
  }
  return (
    <div class="row several">
      <label class="row">
        <input
          type="checkbox"
          checked={isAll}
          // Some, not all.
          indeterminate={!isNone && !isAll}
          onChange={() => onChosen(new Set(isAll ? [] : requests.map(one => one.uuid)))}
        />
        {isNone ? texts.selectAll : texts.selected(chosen.length)}
      </label>
      <Button disabled={isNone} busy={busy} onClick={() => answer('accept')}>
        {common.accept}
      </Button>
      <Button disabled={isNone} onClick={() => setDeclining(true)}>
        {withEllipsis(texts.decline)}
      </Button>
      {isDeclining && (
        <Dialog title={texts.declineSeveralTitle(chosen.length)} onClose={() => setDeclining(false)}>
          <p>{chosen.map(one => one.name ?? '–').join(', ')}</p>
          <NotifyFields notification={notification} onChange={setNotification} />
          <div class="dialog-end">
            <Button onClick={() => setDeclining(false)}>{common.cancel}</Button>
            <Button kind="danger" busy={busy} onClick={() => answer('decline', notification)}>
              {texts.decline}
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  )
}
