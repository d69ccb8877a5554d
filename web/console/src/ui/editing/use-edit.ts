import { useEffect, useRef, useState } from 'preact/hooks'
import { exchange, ifStill, Problem, type Tagged } from '../../api.ts'
import type { Answer, Call } from '../../api-types.ts'
import { useUnsaved } from './unsaved.ts'
import { useSubmit } from './use-submit.ts'

/** A field that someone else changed in the meantime. */
export type Difference<T> = { field: keyof T; before: unknown; after: unknown }

/**
 * A record that is loaded, edited and saved. Only changed fields are sent. If someone else saved in the
 * meantime, nothing is overwritten: their changes are shown, the input stays, and the next save goes on top
 * of theirs.
 */
export const useEdit = <const P extends string>(path: P & Call<P, 'get'> & Call<P, 'patch'>) =>
  useRecord<Answer<P, 'get'> & object>(path, 'PATCH', whole => whole)

/** The same if the record is only part of the answer. */
export const useEditOf = <const P extends string, T extends object>(
  path: P & Call<P, 'get'> & Call<P, 'patch'>,
  recordOf: (answer: Answer<P, 'get'>) => T,
) => useRecord<T, Answer<P, 'get'>>(path, 'PATCH', recordOf)

/** The same for records that are saved as a whole. */
export const useWholeEdit = <const P extends string>(path: P & Call<P, 'get'> & Call<P, 'put'>) =>
  useRecord<Answer<P, 'get'> & object>(path, 'PUT', whole => whole)

type Base<T, A> = Tagged<A> & { record: T }

function useRecord<T extends object, A = T>(
  path: string,
  method: 'PATCH' | 'PUT',
  recordOf: (answer: A) => T,
) {
  const [base, setBase] = useState<Base<T, A> | null>(null)
  const [changes, setChanges] = useState<Partial<T>>({})
  const [theirs, setTheirs] = useState<Difference<T>[]>([])
  const [trouble, setTrouble] = useState<Problem | null>(null)
  const { busy, problem, run, errorAt } = useSubmit()
  const back = useRef<() => Promise<unknown>>(async () => {})
  const isChanged = Object.keys(changes).length > 0
  const settle = useUnsaved(isChanged)

  const read = async () => {
    setTrouble(null)
    try {
      setBase(withRecord(await exchange<A>('GET', path)))
    } catch (error) {
      setTrouble(error as Problem)
    }
  }
  useEffect(() => void read(), [path])

  const withRecord = (answer: Tagged<A>) => ({ ...answer, record: recordOf(answer.data) })

  /**
   * Reads the record again and returns it if it already has the values to save: our answer was lost, or
   * someone else saved the same.
   */
  async function lookAgain(before: T): Promise<Tagged<A> | null> {
    const fresh = withRecord(await exchange<A>('GET', path))
    const left = differences(fresh.record, { ...fresh.record, ...changes })
    if (left.length === 0) return fresh
    const mine = { ...before, ...changes }
    setTheirs(differences(before, fresh.record).filter(one => toText(one.after) !== toText(mine[one.field])))
    setBase(fresh)
    return null
  }

  async function save(): Promise<A | null> {
    if (!base) return null
    const body = method === 'PUT' ? { ...base.record, ...changes } : changes
    const saved = await run(async () => {
      try {
        return await exchange<A>(method, path, body, ifStill(base.tag))
      } catch (error) {
        const isThere =
          error instanceof Problem && error.code === 'changed' ? await lookAgain(base.record) : null
        if (!isThere) throw error
        return isThere
      }
    })
    if (!saved) return null
    const before = method === 'PUT' ? base.record : partOf(base.record, Object.keys(changes))
    back.current = async () =>
      setBase(withRecord(await exchange<A>(method, path, before, ifStill(saved.tag))))
    setBase(withRecord(saved))
    settle()
    setChanges({})
    setTheirs([])
    return saved.data
  }

  /** Restores the previous values, unless they have been changed again since. */
  function undo(after?: () => unknown): () => Promise<unknown> {
    const goBack = back.current
    return async () => {
      await goBack()
      await after?.()
    }
  }

  return {
    /** The record as it would be saved. */
    draft: base && { ...base.record, ...changes },
    saved: base?.record ?? null,
    /** Its version, to save it together with others. */
    tag: base?.tag ?? null,
    /** The whole answer, if the record is only part of it. */
    answer: base?.data ?? null,
    isChanged,
    change: (part: Partial<T>) => setChanges(before => ({ ...before, ...part })),
    /** Drops local input for a field that was saved in another way. */
    forget: (field: keyof T) =>
      setChanges(before => {
        const { [field]: _, ...rest } = before
        return rest as Partial<T>
      }),
    drop: () => {
      setChanges({})
      setTheirs([])
    },
    save,
    undo,
    read,
    theirs,
    loading: { problem: trouble, isLoading: base === null && trouble === null, reload: read },
    problem,
    busy,
    errorAt,
  }
}

export type Edit<T extends object> = ReturnType<typeof useRecord<T>>

const partOf = (record: object, fields: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([field]) => fields.includes(field)))

function differences<T extends object>(before: T, after: T): Difference<T>[] {
  const fields = Object.keys(after) as (keyof T)[]
  return fields
    .filter(field => toText(before[field]) !== toText(after[field]))
    .map(field => ({ field, before: before[field], after: after[field] }))
}

/** New entries have no uuid until they are saved. */
const toText = (value: unknown): string =>
  JSON.stringify(value, (name, part) => (name === 'uuid' ? undefined : isRecord(part) ? inOrder(part) : part))

const isRecord = (part: unknown): part is object =>
  typeof part === 'object' && part !== null && !Array.isArray(part)

const inOrder = (record: object) =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
