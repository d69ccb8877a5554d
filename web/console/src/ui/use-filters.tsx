import { useState } from 'preact/hooks'
import { useSearchParams } from 'wouter-preact'
import { common } from '../common-words.ts'
import { SearchField } from './fields/SearchField.tsx'
import { Empty } from './Page.tsx'

/** Filters are part of the address, so that reloads and links show the same. Changes add no history entry. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  const change = (name: string, value: string | null) =>
    setParams(
      before => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  const clear = () => setParams(new URLSearchParams(), { replace: true })
  return { params, change, clear }
}

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
