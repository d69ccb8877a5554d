import { useState } from 'preact/hooks'
import { type Language, languages } from '../../../../shared/texts/index.ts'
import { common } from '../../common-words.ts'
import type { Schemas } from '../../records.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { languageName } from '../../words.ts'
import { texts } from './words.ts'

type Fields = { [K in keyof Schemas['NewCustomer']]-?: string }

type Props<T> = {
  title: string
  start?: Partial<{ [K in keyof Fields]: string | null }>
  save: (fields: Schemas['NewCustomer']) => Promise<T>
  onDone: (saved: T) => void
  onClose: () => void
}

/** For somebody new and for changes. */
export function CustomerDialog<T>({ title, start = {}, save, onDone, onClose }: Props<T>) {
  const [fields, set] = useState<Fields>({
    name: start.name ?? '',
    email: start.email ?? '',
    mobile: start.mobile ?? '',
    note: start.note ?? '',
    language: start.language?.slice(0, 2) ?? '',
  })
  const { busy, run, errorAt } = useSending()
  const change = (part: Partial<Fields>) => set(before => ({ ...before, ...part }))
  const submit = async (event: Event) => {
    event.preventDefault()
    const { name, ...rest } = fields
    const optional = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, value.trim() || null]),
    )
    const saved = await run(() => save({ name, ...optional }))
    if (saved) onDone(saved)
  }
  const choices = [
    { value: '', label: texts.asProvider },
    ...languages.map((one: Language) => ({ value: one as string, label: languageName(one) })),
  ]
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit} noValidate>
        <TextField
          label={texts.name}
          value={fields.name}
          required
          onInput={name => change({ name })}
          error={errorAt('name')}
        />
        <TextField
          label={texts.email}
          type="email"
          value={fields.email}
          onInput={email => change({ email })}
          error={errorAt('email')}
        />
        <TextField
          label={texts.mobile}
          type="tel"
          value={fields.mobile}
          onInput={mobile => change({ mobile })}
          error={errorAt('mobile')}
        />
        <SelectField
          label={texts.language}
          value={fields.language}
          options={choices}
          onChange={language => change({ language })}
        />
        <TextField
          label={texts.note}
          hint={texts.noteHint}
          rows={3}
          maxLength={1023}
          value={fields.note}
          onInput={note => change({ note })}
          error={errorAt('note')}
        />
        <div class="dialog-end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={busy}>
            {common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
