import { common } from '../../common-words.ts'
import { CheckField } from '../../ui/fields/Field.tsx'
import { texts as settingTexts } from '../channels/words.ts'
import { labelOf, useQuestions } from './questions.ts'

type Props = { chosen: string[]; onChange: (chosen: string[]) => void }

/** Those that customers are asked when they book, in the order of the forms. */
export const useFormQuestions = () =>
  (useQuestions().data?.questions ?? []).filter(one => one.subject === 'booking' && !one.archived)

/** Keys as the names of their questions. */
export function useQuestionNames() {
  const questions = useFormQuestions()
  return (keys: string[]) =>
    questions
      .filter(one => keys.includes(one.key))
      .map(one => labelOf(one.label))
      .join(', ') || settingTexts.noQuestions
}

/** Which questions a form asks. Nothing to choose from shows nothing. */
export function QuestionChoice({ chosen, onChange }: Props) {
  const questions = useFormQuestions()
  if (questions.length === 0) return null
  const toggled = (key: string, isOn: boolean) =>
    questions.map(one => one.key).filter(one => (one === key ? isOn : chosen.includes(one)))
  return (
    <fieldset class="plain">
      <legend>{common.questions}</legend>
      {questions.map(({ key, label }) => (
        <CheckField
          key={key}
          label={labelOf(label)}
          checked={chosen.includes(key)}
          onChange={isOn => onChange(toggled(key, isOn))}
        />
      ))}
    </fieldset>
  )
}
