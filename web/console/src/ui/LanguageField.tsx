import { type Language, languages } from '#shared/texts/index.ts'
import { languageName } from '../words.ts'
import { SelectField } from './Field.tsx'

type Props = { label: string; hint?: string; value: Language; onChange: (language: Language) => void }

/** The supported languages, each under its own name. */
export const LanguageField = (props: Props) => (
  <SelectField {...props} options={languages.map(value => ({ value, label: languageName(value) }))} />
)
