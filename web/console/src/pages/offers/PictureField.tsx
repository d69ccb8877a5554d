import { TextField } from '../../ui/fields/Field.tsx'
import { texts } from './words.ts'

type Props = {
  value: string | null
  onInput: (address: string | null) => void
  error: string | null
}

export const PictureField = ({ value, onInput, error }: Props) => (
  <TextField
    label={texts.picture}
    hint={texts.pictureHint}
    type="url"
    placeholder="https://"
    value={value ?? ''}
    onInput={text => onInput(text || null)}
    error={error}
  />
)
