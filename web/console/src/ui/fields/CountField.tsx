import { useState } from 'preact/hooks'
import { TextField } from './Field.tsx'

type Props = {
  label: string
  hint?: string
  min: number
  max?: number
  step?: number
  value: number
  onInput: (value: number) => void
  error?: string | null
}

/** A required whole number. It may be empty while it is typed, and changes only to a valid number. */
export function CountField({ value, onInput, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      {...rest}
      type="number"
      step={rest.step ?? 1}
      value={typed ?? String(value)}
      onInput={text => {
        setTyped(text)
        if (/^\d+$/.test(text)) onInput(Number(text))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
