import { useRef } from 'preact/hooks'
import { useSearchBox } from '../search-shortcut.ts'
import { Field } from './Field.tsx'

type Props = { label: string; value: string; onInput: (text: string) => void }

/** The page's search box, focused with `/`. */
export function SearchField({ label, value, onInput }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useSearchBox(box)
  return (
    <Field label={label}>
      {ids => (
        <input
          {...ids}
          ref={box}
          type="search"
          autocomplete="off"
          value={value}
          onInput={event => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
