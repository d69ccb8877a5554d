import { useState } from 'preact/hooks'
import { common } from '../common-words.ts'
import { Empty } from './Page.tsx'
import { SearchField } from './SearchField.tsx'

/** So many are seen at one glance. */
const atAGlance = 12

/** What was typed last, for the way back from one of them. */
const kept = new Map<string, string>()

/** A long list is narrowed while typing: all of it is there already. A short one has no box. */
export function useFind<T>(list: string, all: T[], textOf: (one: T) => string) {
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
      {found.length === 0 && <Empty>{common.noneFound}</Empty>}
    </>
  )
  return { box, found }
}

/** "Muller" finds "Müller". */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
