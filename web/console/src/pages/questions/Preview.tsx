import { useState } from 'preact/hooks'
import { languages } from '../../../../../src/rules/questions/languages.ts'
import { common } from '../../common-words.ts'
import type { Product } from '../../records.ts'
import { useProvider } from '../../session.ts'
import { SelectField } from '../../ui/fields/Field.tsx'
import { languageName, locale } from '../../words.ts'
import { AnswerFields } from './AnswerFields.tsx'
import { asForm, formOf, type QuestionRecord } from './questions.ts'
import { texts } from './words.ts'

/** The form of one service as customers see it; conditions work. */
export function Preview({ questions, products }: { questions: QuestionRecord[]; products: Product[] }) {
  const asking = products.filter(one => one.questions.length > 0)
  const [chosen, choose] = useState<string | null>(null)
  const [language, speak] = useState(locale.language)
  const [values, set] = useState<Record<string, unknown>>({})
  const { language: own } = useProvider()
  const product = asking.find(one => one.uuid === chosen) ?? asking[0]
  if (!product) return null
  const form = formOf(questions, product.questions).filter(one => one.audience === 'consumer')
  const given = new Set(form.flatMap(one => Object.keys(one.label)))
  return (
    <section class="stack question-preview">
      <h2>{common.preview}</h2>
      <p class="soft">{texts.previewHint}</p>
      {asking.length > 1 && (
        <SelectField
          label={common.product}
          value={product.uuid}
          options={asking.map(one => ({ value: one.uuid, label: one.name }))}
          onChange={choose}
        />
      )}
      {given.size > 1 && (
        <SelectField
          label={common.language}
          value={language}
          options={languages.map(value => ({ value, label: languageName(value) }))}
          onChange={speak}
        />
      )}
      <div class="stack framed">
        <AnswerFields form={form.map(one => asForm(one, language, own))} values={values} onChange={set} />
      </div>
    </section>
  )
}
