import { Field } from '../../ui/fields/Field.tsx'
import { embedTexts } from './embed-words.ts'

type Props = { value: string; hint: string; onInput: (slug: string) => void; error: string | null }

/** The part of the address that a business chooses, after the part that is the same for all. */
export const SlugField = ({ value, hint, onInput, error }: Props) => (
  <Field label={embedTexts.address} hint={hint} error={error}>
    {ids => (
      <span class="address-field">
        <span class="soft">{`${location.host}/book/`}</span>
        <input
          {...ids}
          type="text"
          maxLength={60}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={value}
          onInput={event => onInput(event.currentTarget.value.trim().toLowerCase())}
        />
      </span>
    )}
  </Field>
)

const spelled: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'oe',
  œ: 'oe',
  ł: 'l',
}

/** Proposes a slug for the name of a business; empty if too little of it can be spelled. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüßæøœł]/g, letter => spelled[letter]!)
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’]/g, '')
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return slug.length < 3 ? '' : slug
}
