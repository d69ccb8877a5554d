import { useEffect, useRef, useState } from 'preact/hooks'
import { exchange, ifStill, Problem, type Tagged } from '../api.ts'
import type { Answer, Call } from '../calls.ts'
import { useSending } from './use-sending.ts'

/** What somebody else changed while we typed. */
export type Difference<T> = { field: keyof T; before: unknown; after: unknown }

/**
 * A record that is read, changed and saved. Only what was changed here is sent. When somebody else saved meanwhile, nothing
 * is overwritten: what they changed is shown, what was typed stays, and the next save goes on top of theirs.
 */
export const useEdit = <const P extends string>(path: P & Call<P, 'get'> & Call<P, 'patch'>) =>
  useRecord<Answer<P, 'get'> & object>(path, 'PATCH', whole => whole)

/** The same where the record is a part of what is answered. */
export const useEditOf = <const P extends string, T extends object>(
  path: P & Call<P, 'get'> & Call<P, 'patch'>,
  recordOf: (answer: Answer<P, 'get'>) => T,
) => useRecord<T, Answer<P, 'get'>>(path, 'PATCH', recordOf)

/** The same for what is only saved as a whole. */
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
  const { busy, problem, run, errorAt } = useSending()
  const back = useRef<() => Promise<unknown>>(async () => {})

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

  /** Answers what is there, where that is what was to be saved: by us, whose answer was lost, or by somebody else. */
  async function lookAgain(before: T): Promise<Tagged<A> | null> {
    const fresh = withRecord(await exchange<A>('GET', path))
    const left = differences(fresh.record, { ...fresh.record, ...changes })
    if (left.length === 0) return fresh
    const mine = { ...before, ...changes }
    setTheirs(differences(before, fresh.record).filter(one => said(one.after) !== said(mine[one.field])))
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
    setChanges({})
    setTheirs([])
    return saved.data
  }

  /** For whoever has just saved: what was changed is put back, unless somebody changed it again since. */
  function undo(after?: () => unknown): () => Promise<unknown> {
    const goBack = back.current
    return async () => {
      await goBack()
      await after?.()
    }
  }

  return {
    /** As it would be saved. */
    draft: base && { ...base.record, ...changes },
    saved: base?.record ?? null,
    /** All that was answered, where the record is a part of it. */
    answer: base?.data ?? null,
    isChanged: Object.keys(changes).length > 0,
    change: (part: Partial<T>) => setChanges(before => ({ ...before, ...part })),
    /** What was typed here is overtaken: it was saved in another way. */
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
    trouble,
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
    .filter(field => said(before[field]) !== said(after[field]))
    .map(field => ({ field, before: before[field], after: after[field] }))
}

/** What is new has no uuid until it is saved. */
const said = (value: unknown): string =>
  JSON.stringify(value, (name, part) => (name === 'uuid' ? undefined : isRecord(part) ? inOrder(part) : part))

const isRecord = (part: unknown): part is object =>
  typeof part === 'object' && part !== null && !Array.isArray(part)

const inOrder = (record: object) =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
