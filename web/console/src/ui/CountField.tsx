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

/** A whole number that must be there. While somebody types it may be empty, and counts only once it is a number again. */
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
