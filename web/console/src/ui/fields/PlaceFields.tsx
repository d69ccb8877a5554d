import { type Language, languages } from '#shared/texts/index.ts'
import { allZones } from '#shared/zones.ts'
import { format } from '../../time.ts'
import { languageName, locale } from '../../words.ts'
import { SelectField } from './Field.tsx'

type LanguageProps = { label: string; hint?: string; value: Language; onChange: (language: Language) => void }

/** The supported languages, each under its own name. */
export const LanguageField = (props: LanguageProps) => (
  <SelectField {...props} options={languages.map(value => ({ value, label: languageName(value) }))} />
)

type ZoneProps = { label: string; value: string; onChange: (zone: string) => void; error: string | null }

/** Time zones by city, with their offset today. */
export const ZoneField = (props: ZoneProps) => (
  <SelectField
    {...props}
    options={[...new Set([props.value, ...allZones()])]
      .map(value => ({ value, label: format.zoneOption(value, Date.now()) }))
      .sort((one, other) => one.label.localeCompare(other.label, locale.tag))}
  />
)
