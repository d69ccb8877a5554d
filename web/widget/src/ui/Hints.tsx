import { chosenProduct, shownPlace } from '../state.ts'
import { useUi } from './context.ts'

/** The provider's note to all visitors: what to bring, where to ring. */
export function Hints() {
  const { state } = useUi()
  const text = [chosenProduct(state)?.description, shownPlace(state)?.resource.description].filter(Boolean)
  return text.length > 0 ? <p class="description note">{text.join('\n\n')}</p> : null
}
