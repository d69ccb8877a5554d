import { plain } from '#shared/plain.ts'
import { languages } from '#shared/texts/index.ts'
import { allZones, browserZone, cityOf, startOfDay } from '#shared/zones.ts'
import { shownPlace } from '../state.ts'
import { useUi } from './context.ts'
import { useState } from './render.ts'

/**
 * Shown with its offset on the selected day. Typing part of a city or of a zone's name finds it, also where the browser
 * draws no list. The long list is built on demand.
 */
export function Zone() {
  const { state, texts, format, flow } = useUi()
  const [all, setAll] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const placeZone = shownPlace(state)?.provider.timeZone ?? 'UTC'
  const near = [placeZone, browserZone(), state.zone]
  const rest = all ? allZones().sort((one, other) => (cityOf(one) < cityOf(other) ? -1 : 1)) : []
  const at = state.day ? startOfDay(state.day, state.zone) + 43_200_000 : flow.now()
  const nameOf = (zone: string) => format.zoneOption(zone, at)
  const zones = [...new Set([...near, ...rest])]
  const now = nameOf(state.zone)
  const choose = (zone: string | undefined) => {
    setTyped(null)
    if (zone && zone !== state.zone) void flow.chooseZone(zone)
  }
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const { value } = currentTarget
    const zone = zones.find(one => nameOf(one) === value)
    if (zone) choose(zone)
    else setTyped(value)
  }
  const onLeave = () =>
    choose(typed ? zones.find(one => plain(`${nameOf(one)} ${one}`).includes(plain(typed))) : undefined)
  return (
    <div class="pick">
      <label for="zone">{texts.timeZone}</label>
      <input
        id="zone"
        part="zone"
        list="zones"
        autocomplete="off"
        placeholder={now}
        value={typed ?? now}
        onFocus={() => {
          setAll(true)
          // An empty field lists all.
          setTyped('')
        }}
        onInput={onInput}
        onBlur={onLeave}
        onKeyDown={event => event.key === 'Enter' && onLeave()}
      />
      <datalist id="zones">
        {zones.map(zone => (
          <option key={zone} value={nameOf(zone)}>
            {zone}
          </option>
        ))}
      </datalist>
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
