import { useState } from 'preact/hooks'
import { common } from '../common-words.ts'
import { Button } from './Button.tsx'
import { CheckField, TextField } from './Field.tsx'

export type Telling = { sendMails: boolean; message: string }

const remembered = 'holdfast-console-tell'

/** "Tell them?" with a message; the answer is remembered for the next time. */
export function useTelling(): [Telling, (telling: Telling) => void] {
  const [telling, set] = useState<Telling>({
    sendMails: localStorage.getItem(remembered) !== 'no',
    message: '',
  })
  return [
    telling,
    next => {
      localStorage.setItem(remembered, next.sendMails ? 'yes' : 'no')
      set(next)
    },
  ]
}

type SilentlyProps = { busy: boolean; disabled?: boolean; onClick: () => void }

/** Beside the button that tells them: one press for whoever has told them already, as on the telephone. */
export const Silently = (props: SilentlyProps) => <Button {...props}>{common.silently}</Button>

export function TellThem({ telling, onChange }: { telling: Telling; onChange: (telling: Telling) => void }) {
  return (
    <fieldset class="telling">
      <CheckField
        label={common.tellThem}
        checked={telling.sendMails}
        onChange={sendMails => onChange({ ...telling, sendMails })}
      />
      {telling.sendMails && (
        <TextField
          label={common.message}
          hint={common.messageHint}
          rows={3}
          maxLength={1000}
          value={telling.message}
          onInput={message => onChange({ ...telling, message })}
        />
      )}
    </fieldset>
  )
}
