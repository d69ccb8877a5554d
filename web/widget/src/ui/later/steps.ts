import confirmation from 'virtual:confirmation.css?inline'
import form from '../../styles/form.css?inline'
import { Done } from './Done.tsx'
import { Form } from './Form.tsx'
import { type Kit, takeKit } from './kit.ts'

export { didYouMean } from '#shared/did-you-mean.ts'
export { shareHolds } from '../../share-holds.ts'

export const style = form + confirmation

/** The steps after choosing a time, in a file of their own that loads while the visitor looks at the times. */
export function makeSteps(kit: Kit) {
  takeKit(kit)
  return { form: Form, done: Done }
}
