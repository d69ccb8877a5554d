import { offering } from '#shared/list-answer.ts'
import { useUi } from './context.ts'

/** Shown only if there are several: one of them, or any. */
export function Resources() {
  const { state, texts, flow } = useUi()
  const places = offering(state.places, state.product)
  if (places.length < 2) return null
  const onChange = (event: Event) =>
    flow.chooseResource((event.currentTarget as HTMLSelectElement).value || null)
  return (
    <label class="pick resources">
      <span>{places[0]!.provider.resourceWord ?? texts.resource}</span>
      <select part="resource" value={state.resource ?? ''} onChange={onChange}>
        <option value="">{texts.anyResource}</option>
        {places.map(({ resource }) => (
          <option key={resource.uuid} value={resource.uuid}>
            {resource.name}
          </option>
        ))}
      </select>
    </label>
  )
}
