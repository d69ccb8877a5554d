import { useEffect, useState } from 'preact/hooks'
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
  useRecord<Answer<P, 'get'> & object>(path, 'PATCH')

/** The same for what is only saved as a whole. */
export const useWholeEdit = <const P extends string>(path: P & Call<P, 'get'> & Call<P, 'put'>) =>
  useRecord<Answer<P, 'get'> & object>(path, 'PUT')

function useRecord<T extends object>(path: string, method: 'PATCH' | 'PUT') {
  const [base, setBase] = useState<Tagged<T> | null>(null)
  const [changes, setChanges] = useState<Partial<T>>({})
  const [theirs, setTheirs] = useState<Difference<T>[]>([])
  const [trouble, setTrouble] = useState<Problem | null>(null)
  const { busy, problem, run, errorAt } = useSending()

  const read = async () => {
    setTrouble(null)
    try {
      setBase(await exchange<T>('GET', path))
    } catch (error) {
      setTrouble(error as Problem)
    }
  }
  useEffect(() => void read(), [path])

  async function lookAgain(before: T) {
    const fresh = await exchange<T>('GET', path)
    setTheirs(differences(before, fresh.data))
    setBase(fresh)
  }

  async function save(): Promise<T | null> {
    if (!base) return null
    const body = method === 'PUT' ? { ...base.data, ...changes } : changes
    const saved = await run(async () => {
      try {
        return await exchange<T>(method, path, body, ifStill(base.tag))
      } catch (error) {
        if (error instanceof Problem && error.code === 'changed') await lookAgain(base.data)
        throw error
      }
    })
    if (!saved) return null
    setBase(saved)
    setChanges({})
    setTheirs([])
    return saved.data
  }

  return {
    /** As it would be saved. */
    draft: base && { ...base.data, ...changes },
    saved: base?.data ?? null,
    isChanged: Object.keys(changes).length > 0,
    change: (part: Partial<T>) => setChanges(before => ({ ...before, ...part })),
    drop: () => {
      setChanges({})
      setTheirs([])
    },
    save,
    read,
    theirs,
    trouble,
    problem,
    busy,
    errorAt,
  }
}

export type Edit<T extends object> = ReturnType<typeof useRecord<T>>

function differences<T extends object>(before: T, after: T): Difference<T>[] {
  const fields = Object.keys(after) as (keyof T)[]
  return fields
    .filter(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map(field => ({ field, before: before[field], after: after[field] }))
}
