// Sessions of people at the console.

import { inviteStaff, logInByLink } from '../../src/actions/console/login.ts'
import { call, type TestService } from './service.ts'

export const tokenOf = (link: string) => link.split('/').at(-1)!

/** A new session, opened by the link of an invitation. */
export const sessionOf = async ({ service }: Pick<TestService, 'service'>, link: string) =>
  (await logInByLink(service, tokenOf(link)))!

export const staffSession = async (holdfast: Pick<TestService, 'service'>, reference: string) =>
  sessionOf(holdfast, await inviteStaff(holdfast.service, 'crm', reference))

export const cookieOf = (session: string) => ({ cookie: `holdfast_session=${session}` })

/** Calls the console API in this session. */
export const inSession =
  ({ app }: Pick<TestService, 'app'>, session: string) =>
  (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    call(app, method, `/console/api${path}`, body, { headers: { ...cookieOf(session), ...headers } })

/** The same for the person who is invited by this link. */
export const asInvited = async (holdfast: TestService, link: string) =>
  inSession(holdfast, await sessionOf(holdfast, link))

/** The same for a member of staff. */
export const asStaff = async (holdfast: TestService, reference: string) =>
  inSession(holdfast, await staffSession(holdfast, reference))
