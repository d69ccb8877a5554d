import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Schemas } from './records.ts'

export type Role = MyProvider['role']

/** A Provider that I may work for, and as what. */
export type MyProvider = Schemas['MyProvider']

export type Me = Schemas['ConsoleLogin']

export type Session = {
  me: Me
  providers: MyProvider[]
  provider: MyProvider | null
  choose: (uuid: string) => void
  /** Somebody has new Providers. */
  reload: () => Promise<void>
}

export const SessionContext = createContext<Session>(null as unknown as Session)
export const useSession = () => useContext(SessionContext)

/** Most pages are about one Provider: the one chosen in the rail. */
export function useProvider(): MyProvider {
  return useSession().provider!
}

const remembered = 'holdfast-console-provider'
export const rememberedProvider = () => localStorage.getItem(remembered)
export const rememberProvider = (uuid: string) => localStorage.setItem(remembered, uuid)

const rank: Role[] = ['staff', 'owner', 'administrator', 'operator']

/** What somebody may do whose role is at least this one. */
export const isAtLeast = (role: Role, wanted: Role) => rank.indexOf(role) >= rank.indexOf(wanted)
