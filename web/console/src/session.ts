import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Schemas } from './records.ts'

/** A Provider the user may work for, with their role. */
export type MyProvider = Schemas['MyProvider']

export type Me = Schemas['ConsoleLogin']

export type Right = Me['rights'][number]

/** Whether a login, or its role at a Provider, allows this. */
export const may = ({ rights }: Pick<Me, 'rights'>, right: Right) => rights.includes(right)

export type Session = {
  me: Me
  providers: MyProvider[]
  provider: MyProvider | null
  choose: (uuid: string) => void
  /** They have no business of their own yet and have not opened the demo. */
  isWelcome: boolean
  /** If false, emails are stored but not sent. */
  hasMailServer: boolean
  /** Call after the user's Providers have changed. */
  reload: () => Promise<void>
}

export const SessionContext = createContext<Session>(null as unknown as Session)
export const useSession = () => useContext(SessionContext)

/** The Provider chosen in the rail. */
export function useProvider(): MyProvider {
  return useSession().provider!
}

/** Whether the user may do this at the chosen Provider. */
export const useMay = (right: Right) => {
  const { provider } = useSession()
  return provider !== null && may(provider, right)
}

const remembered = 'holdfast-console-provider'
export const rememberedProvider = () => localStorage.getItem(remembered)
export const rememberProvider = (uuid: string) => localStorage.setItem(remembered, uuid)

const welcomed = 'holdfast-console-welcomed'
/** The welcome screen is shown until the user has made a choice. */
export const wasWelcomed = () => localStorage.getItem(welcomed) === '1'
export const rememberWelcome = () => localStorage.setItem(welcomed, '1')
