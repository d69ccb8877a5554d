import { useState } from 'preact/hooks'
import { allZones, browserZone, startOfDay } from '../../../shared/zones.ts'
import { shownPlace } from '../state.ts'
import { useUi } from './context.ts'

/** Named with its offset on the shown day. The long list is made when somebody wants it. */
export function Zone() {
  const { state, texts, format, flow } = useUi()
  const [all, setAll] = useState(false)
  const placeZone = shownPlace(state)?.provider.timeZone ?? 'UTC'
  const near = [...new Set([placeZone, browserZone(), state.zone])]
  const zones = all ? allZones(...near) : near
  const at = state.day ? startOfDay(state.day, state.zone) + 43_200_000 : flow.now()
  const onChange = (event: Event) => void flow.chooseZone((event.currentTarget as HTMLSelectElement).value)
  const open = () => setAll(true)
  return (
    <label class="pick">
      <span>{texts.timeZone}</span>
      <select part="zone" value={state.zone} onChange={onChange} onFocus={open} onPointerDown={open}>
        {zones.map(zone => (
          <option key={zone} value={zone}>
            {format.zone(zone, at)}
            {zone === placeZone ? `, ${texts.placeZone}` : ''}
          </option>
        ))}
      </select>
    </label>
  )
}
