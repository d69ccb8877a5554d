import { useState } from 'preact/hooks'
import { common } from '../common-words.ts'
import { Empty } from './Page.tsx'
import { SearchField } from './SearchField.tsx'

/** Shorter lists get no search box. */
const atAGlance = 12

/** The last search per list, restored on the way back. */
const kept = new Map<string, string>()

/** Filters a long list while typing; all of it is already loaded. */
export function useListFilter<T>(list: string, all: T[], textOf: (one: T) => string) {
  const [typed, setTyped] = useState(kept.get(list) ?? '')
  const type = (text: string) => {
    kept.set(list, text)
    setTyped(text)
  }
  const isLong = all.length > atAGlance
  const parts = isLong ? folded(typed).split(/\s+/) : []
  const found = all.filter(one => {
    const text = folded(textOf(one))
    return parts.every(part => text.includes(part))
  })
  const box = isLong && (
    <>
      <SearchField label={common.search} value={typed} onInput={type} />
      {found.length === 0 && <Empty>{common.noResults}</Empty>}
    </>
  )
  return { box, found }
}

/** "Muller" finds "Müller". */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
