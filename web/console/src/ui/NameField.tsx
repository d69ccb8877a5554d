import { TextField } from './Field.tsx'

type Props = {
  label: string
  hint: string
  value: string
  onInput: (name: string) => void
  error: string | null
}

/** A required name. */
export const NameField = (props: Props) => <TextField required {...props} />
