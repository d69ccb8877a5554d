import { useState } from 'preact/hooks'
import { languages } from '#shared/texts/index.ts'
import { allZones, browserZone, cityOf, startOfDay } from '#shared/zones.ts'
import { shownPlace } from '../state.ts'
import { useUi } from './context.ts'

/** Shown with its offset on the selected day. The long list is built on demand. */
export function Zone() {
  const { state, texts, format, flow } = useUi()
  const [all, setAll] = useState(false)
  const placeZone = shownPlace(state)?.provider.timeZone ?? 'UTC'
  const near = [placeZone, browserZone(), state.zone]
  const rest = all ? allZones().sort((one, other) => (cityOf(one) < cityOf(other) ? -1 : 1)) : []
  const at = state.day ? startOfDay(state.day, state.zone) + 43_200_000 : flow.now()
  const onChange = (event: Event) => void flow.chooseZone((event.currentTarget as HTMLSelectElement).value)
  const open = () => setAll(true)
  return (
    <div class="pick">
      <label for="zone">{texts.timeZone}</label>
      <select
        id="zone"
        part="zone"
        value={state.zone}
        onChange={onChange}
        onFocus={open}
        onPointerDown={open}
      >
        {[...new Set([...near, ...rest])].map(zone => (
          <option key={zone} value={zone}>
            {format.zoneOption(zone, at)}
          </option>
        ))}
      </select>
      <Speech />
    </div>
  )
}

/** Each language under its own name, for visitors who cannot read the others. */
function Speech() {
  const { language, speak } = useUi()
  const nameOf = (one: string) => new Intl.DisplayNames(one, { type: 'language' }).of(one)
  return (
    <select
      part="language"
      aria-label="Language"
      value={language}
      onChange={event => speak(event.currentTarget.value)}
    >
      {languages.map(one => (
        <option key={one} value={one} lang={one}>
          {nameOf(one)}
        </option>
      ))}
    </select>
  )
}
