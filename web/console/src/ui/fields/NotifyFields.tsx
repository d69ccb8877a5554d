import { useState } from 'preact/hooks'
import { common } from '../../common-words.ts'
import { MailServerNote } from '../MailServerNote.tsx'
import { CheckField, TextField } from './Field.tsx'

export type Notification = { sendMails: boolean; message: string }

const remembered = 'holdfast-console-tell'

/** "Notify by email" with a message; the choice is remembered. */
export function useNotification(): [Notification, (notification: Notification) => void] {
  const [notification, set] = useState<Notification>({
    sendMails: localStorage.getItem(remembered) !== 'no',
    message: '',
  })
  return [
    notification,
    next => {
      localStorage.setItem(remembered, next.sendMails ? 'yes' : 'no')
      set(next)
    },
  ]
}

/** The choice is remembered and easily overlooked, so the button names it. */
export const namedBy = ({ sendMails }: Notification, canNotify: boolean, action: string) =>
  canNotify && !sendMails ? common.withoutNotifying(action) : action

type Props = {
  notification: Notification
  onChange: (notification: Notification) => void
  /** Without the message. */
  isBrief?: boolean
}

export function NotifyFields({ notification, onChange, isBrief = false }: Props) {
  return (
    <fieldset class={isBrief ? 'telling brief' : 'telling'}>
      <CheckField
        label={common.notifyByEmail}
        checked={notification.sendMails}
        onChange={sendMails => onChange({ ...notification, sendMails })}
      />
      {notification.sendMails && <MailServerNote />}
      {notification.sendMails && !isBrief && (
        <TextField
          label={common.message}
          hint={common.messageHint}
          rows={3}
          maxLength={1000}
          value={notification.message}
          onInput={message => onChange({ ...notification, message })}
        />
      )}
    </fieldset>
  )
}
