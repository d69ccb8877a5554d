import { isDeepStrictEqual } from 'node:util'
import { CalendarProblem } from '../../calendars/problem.ts'
import { asWebAddress, openSecrets, type SourceSecrets, sealSecrets } from '../../calendars/secrets.ts'
import { type SourceTest, testSource } from '../../calendars/test-source.ts'
import type { Queryable } from '../../db/base/pool.ts'
import {
  deleteSource as deleteRow,
  findSource,
  insertSource,
  listSources,
  lockCheck,
  lockSourcesOf,
  readClock,
  requestCheck,
  type SourceKind,
  type SourceRow,
  type SourceSettings,
  setClosedSince,
  updateSource,
} from '../../db/scheduling/calendar-sources.ts'
import type { ProviderRow } from '../../db/setup/providers.ts'
import { bumpResources } from '../../db/setup/revisions.ts'
import { invalidField, missingField, notFound } from '../../errors.ts'
import type { Actor } from '../../rules/messages/events.ts'
import { isUuid } from '../../rules/references.ts'
import type { Service } from '../../service.ts'
import { addressProblem } from '../../webhooks/guard.ts'
import { recordEvents } from '../record-events.ts'

type Place = { provider: ProviderRow; resource: { id: number; reference: string } }

export type SourceFields = Partial<{ [K in keyof SourceSettings]: SourceSettings[K] | null }> & {
  address?: string
  user?: string | null
  password?: string | null
}

const maxSources = 50

const defaults: SourceSettings = {
  name: '',
  calendars: null,
  tentativeIsBusy: true,
  showTitles: false,
  staleHours: 24,
  stayOpen: true,
}

export async function sourceOf(db: Queryable, resourceId: number, uuid: string): Promise<SourceRow> {
  const source = isUuid(uuid) ? await findSource(db, resourceId, uuid) : null
  if (!source) throw notFound('calendar source', uuid)
  return source
}

/** It is read at once. */
export async function addSource(
  service: Service,
  actor: Actor,
  { provider, resource }: Place,
  { kind, ...fields }: SourceFields & { kind: SourceKind; address: string },
): Promise<SourceRow> {
  const secrets = readSecrets(service, kind, fields)
  const { host } = new URL(secrets.url)
  const settings = readSettings({ ...defaults, name: host }, fields)
  return service.db.transaction(async tx => {
    if (!(await lockSourcesOf(tx, resource.id))) throw notFound('Resource', resource.reference)
    if ((await listSources(tx, resource.id)).length >= maxSources)
      throw invalidField('address', `A Resource has at most ${maxSources} calendars. Remove one first.`)
    const id = await insertSource(tx, {
      ...settings,
      providerId: provider.id,
      resourceId: resource.id,
      kind,
      host,
      userName: secrets.user,
      sealed: sealSecrets(service.signer, secrets),
    })
    await recordEvents(tx, service, { actor, provider, events: { 'calendar.connected': [id] } })
    return (await listSources(tx, resource.id)).find(one => one.id === id)!
  })
}

/** What a change can touch; the state of the last look is none of it. */
export const settingsOf = (source: SourceRow) => ({
  name: source.name,
  host: source.host,
  user: source.userName,
  calendars: source.calendars,
  tentativeIsBusy: source.tentativeIsBusy,
  showTitles: source.showTitles,
  staleHours: source.staleHours,
  stayOpen: source.stayOpen,
  paused: source.pausedAt !== null,
})

/** Changes only the fields sent. A new address, user or password replaces the stored one. */
export async function changeSource(
  service: Service,
  actor: Actor,
  { provider, resource }: Place,
  uuid: string,
  { paused, ...fields }: SourceFields & { paused?: boolean },
  check: (current: SourceRow) => void = () => {},
): Promise<SourceRow> {
  return service.db.transaction(async tx => {
    const { id } = await sourceOf(tx, resource.id, uuid)
    await lockCheck(tx, id)
    const known = await sourceOf(tx, resource.id, uuid)
    check(known)
    const before = knownSecrets(service, known)
    const secrets = readSecrets(service, known.kind, {
      ...before,
      address: before?.url,
      ...omitUndefined(fields),
    })
    if (before?.password && fields.password === undefined && isElsewhere(secrets.url, before.url))
      throw missingField('password', 'Enter the password again: the address is on another server.')
    const hasNewSecrets = !isDeepStrictEqual(secrets, before)
    const settings = readSettings(known, fields)
    const isPaused = paused ?? known.pausedAt !== null
    const { host } = new URL(secrets.url)
    const changed = { ...known, ...settings, host, userName: secrets.user, pausedAt: isPaused ? 0 : null }
    if (!hasNewSecrets && isDeepStrictEqual(settingsOf(changed), settingsOf(known))) return known
    const sealed = hasNewSecrets ? sealSecrets(service.signer, secrets) : known.sealed
    await updateSource(tx, id, { ...settings, host, userName: secrets.user, sealed, isPaused })
    // Closed because it was stale: staff may say that it stays open after all, or pause it.
    if (known.closedSince !== null && (settings.stayOpen || isPaused)) {
      await setClosedSince(tx, id, false)
      await bumpResources(tx, provider.id, [resource.id])
    }
    await recordEvents(tx, service, { actor, provider, events: { 'calendar.changed': [id] } })
    return sourceOf(tx, resource.id, uuid)
  })
}

/** Its busy times are on offer again at once. */
export async function deleteSource(
  service: Service,
  actor: Actor,
  { provider, resource }: Place,
  uuid: string,
) {
  await service.db.transaction(async tx => {
    const { id } = await sourceOf(tx, resource.id, uuid)
    await lockCheck(tx, id)
    await deleteRow(tx, id)
    await bumpResources(tx, provider.id, [resource.id])
    const events = { 'calendar.removed': [{ subject: id, detail: uuid.toLowerCase() }] }
    await recordEvents(tx, service, { actor, provider, events })
  })
}

/** Reads it as soon as a worker is free, usually within a second. */
export async function refreshSource(service: Service, resourceId: number, uuid: string): Promise<SourceRow> {
  const { id } = await sourceOf(service.db, resourceId, uuid)
  await requestCheck(service.db, id)
  return sourceOf(service.db, resourceId, uuid)
}

/** Asks the server without storing anything. */
export async function testNewSource(
  service: Service,
  provider: ProviderRow,
  { kind, ...fields }: SourceFields & { kind: SourceKind; address: string },
): Promise<SourceTest> {
  const secrets = readSecrets(service, kind, fields)
  const now = await readClock(service.db)
  return testSource(service, {
    kind,
    calendars: fields.calendars ?? null,
    secrets,
    zone: provider.timeZone,
    now,
  })
}

export async function testKnownSource(
  service: Service,
  provider: ProviderRow,
  source: SourceRow,
): Promise<SourceTest> {
  const secrets = knownSecrets(service, source)
  if (!secrets) return { ok: false, calendars: [], busyNextWeek: 0, problem: new CalendarProblem('key') }
  return testSource(service, { ...source, secrets, zone: provider.timeZone })
}

/** A stored password must not reach a server that its owner did not enter it for. */
const isElsewhere = (url: string, before: string) => new URL(url).origin !== new URL(before).origin

/** Null if the key has changed; the address must then be entered again. */
function knownSecrets({ signer }: Service, { sealed }: SourceRow): SourceSecrets | null {
  try {
    return openSecrets(signer, sealed)
  } catch {
    return null
  }
}

function readSecrets(
  { config }: Service,
  kind: SourceKind,
  { address, user = null, password = null }: SourceFields,
): SourceSecrets {
  if (address === undefined)
    throw missingField('address', 'Enter the address again: the stored one cannot be read.')
  const url = asWebAddress(address)
  const wrong = addressProblem(url, config.webhookAllowPrivate)
  if (wrong) throw invalidField('address', `address ${wrong}.`, { rule: 'https-address' })
  if (kind === 'caldav' && !user) throw missingField('user')
  if (kind === 'caldav' && !password) throw missingField('password')
  return { url: new URL(url).href, user: user || null, password: password || null }
}

function readSettings(known: SourceSettings, fields: SourceFields): SourceSettings {
  const settings = { ...known }
  for (const name of Object.keys(defaults) as (keyof SourceSettings)[]) {
    const value = fields[name]
    if (value !== undefined) Object.assign(settings, { [name]: value ?? defaults[name] })
  }
  return Object.fromEntries(
    Object.keys(defaults).map(name => [name, settings[name as keyof SourceSettings]]),
  ) as SourceSettings
}

const omitUndefined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
