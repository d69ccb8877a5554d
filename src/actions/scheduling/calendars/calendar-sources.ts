import { isDeepStrictEqual } from 'node:util'
import { type SourceTest, testSource } from '../../../calendars/fetch-source.ts'
import { asWebAddress, openSecrets, type SourceSecrets, sealSecrets } from '../../../calendars/request.ts'
import type { ProviderContext } from '../../../callers.ts'
import type { Queryable } from '../../../db/base/pool.ts'
import {
  endMirror,
  insertMirror,
  type NewMirror,
  rewriteEntries,
  updateMirror,
} from '../../../db/scheduling/calendar-mirrors.ts'
import {
  deleteSource as deleteRow,
  findSource,
  insertSource,
  listSources,
  lockCheck,
  lockSourcesOf,
  type MirrorSettings,
  readClock,
  requestCheck,
  type SourceKind,
  type SourceRow,
  type SourceSettings,
  setClosedSince,
  updateSource,
} from '../../../db/scheduling/calendar-sources.ts'
import type { ProviderRow } from '../../../db/setup/providers.ts'
import { bumpResources } from '../../../db/setup/revisions.ts'
import { invalidField, missingField, notFound } from '../../../errors.ts'
import { omitUndefined } from '../../../lib/objects.ts'
import { isUuid } from '../../../rules/references.ts'
import type { Service } from '../../../service.ts'
import { addressProblem } from '../../../webhooks/guard.ts'
import { recordEvents } from '../../record-events.ts'
import { ownHosts } from './import-calendar.ts'

export type SourcePlace = ProviderContext & { resource: { id: number; reference: string } }

type Settings = SourceSettings & MirrorSettings

type SourceFields = Partial<{ [K in keyof Settings]: Settings[K] | null }> & {
  address?: string
  user?: string | null
  password?: string | null
}

const maxSources = 50

const defaults: Settings = {
  name: '',
  calendars: null,
  tentativeIsBusy: true,
  showTitles: false,
  staleHours: 24,
  stayOpen: true,
  mirrorTo: null,
  mirrorNames: false,
}

export async function sourceOf(db: Queryable, resourceId: number, uuid: string): Promise<SourceRow> {
  const source = isUuid(uuid) ? await findSource(db, resourceId, uuid) : null
  if (!source) throw notFound('calendar source', uuid)
  return source
}

/** It is read at once. */
export async function addSource(
  { service, actor, provider, resource }: SourcePlace,
  { kind, ...fields }: SourceFields & { kind: SourceKind; address: string },
): Promise<SourceRow> {
  const secrets = readSecrets(service, kind, fields)
  const { host } = new URL(secrets.url)
  const settings = readSettings(kind, { ...defaults, name: host }, fields)
  return service.db.transaction(async tx => {
    if (!(await lockSourcesOf(tx, resource.id))) throw notFound('Resource', resource.reference)
    if ((await listSources(tx, resource.id)).length >= maxSources)
      throw invalidField('address', 'max-count:sources', { limit: maxSources })
    const sealed = sealSecrets(service.signer, secrets)
    const where = { providerId: provider.id, resourceId: resource.id }
    const id = await insertSource(tx, { ...settings, ...where, kind, host, userName: secrets.user, sealed })
    await startMirror(tx, { ...where, sourceId: id, sealed }, settings)
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
  mirrorTo: source.mirrorTo,
  mirrorNames: source.mirrorNames,
})

/** Changes only the fields sent. A new address, user or password replaces the stored one. */
export async function changeSource(
  { service, actor, provider, resource }: SourcePlace,
  uuid: string,
  { paused, ...fields }: SourceFields & { paused?: boolean },
  check: (current: SourceRow) => void = () => {},
): Promise<SourceRow> {
  return service.db.transaction(async tx => {
    const { id } = await sourceOf(tx, resource.id, uuid)
    await lockCheck(tx, id)
    const known = await sourceOf(tx, resource.id, uuid)
    check(known)
    const { before, secrets } = changedSecrets(service, known, fields)
    const hasNewSecrets = !isDeepStrictEqual(secrets, before)
    const settings = readSettings(known.kind, known, fields)
    const isPaused = paused ?? known.pausedAt !== null
    const { host } = new URL(secrets.url)
    const changed = { ...known, ...settings, host, userName: secrets.user, pausedAt: isPaused ? 0 : null }
    if (!hasNewSecrets && isDeepStrictEqual(settingsOf(changed), settingsOf(known))) return known
    const sealed = hasNewSecrets ? sealSecrets(service.signer, secrets) : known.sealed
    await updateSource(tx, id, { ...settings, host, userName: secrets.user, sealed, isPaused })
    const isSameCalendar =
      before !== null &&
      known.mirrorTo === settings.mirrorTo &&
      before.url === secrets.url &&
      before.user === secrets.user
    if (isSameCalendar) await updateMirror(tx, id, { sealed, names: settings.mirrorNames })
    else {
      await endMirror(tx, id)
      await startMirror(
        tx,
        { providerId: provider.id, resourceId: resource.id, sourceId: id, sealed },
        settings,
      )
    }
    // Closed because it was stale: staff may say that it stays open after all, or pause it.
    if (known.closedSince !== null && (settings.stayOpen || isPaused)) {
      await setClosedSince(tx, id, false)
      await bumpResources(tx, provider.id, [resource.id])
    }
    await recordEvents(tx, service, { actor, provider, events: { 'calendar.changed': [id] } })
    return sourceOf(tx, resource.id, uuid)
  })
}

/** What an earlier mirror of the source wrote is removed with its own login. */
async function startMirror(
  tx: Queryable,
  where: Omit<NewMirror, 'path' | 'names'>,
  { mirrorTo, mirrorNames }: MirrorSettings,
) {
  if (mirrorTo === null) return
  if (!(await insertMirror(tx, { ...where, path: mirrorTo, names: mirrorNames })))
    throw invalidField('mirrorTo', 'other-mirror')
}

/** Its busy times are on offer again at once. What it wrote into the calendar is removed. */
export async function deleteSource(
  { service, actor, provider, resource }: SourcePlace,
  uuid: string,
  check: (current: SourceRow) => void = () => {},
) {
  await service.db.transaction(async tx => {
    const { id } = await sourceOf(tx, resource.id, uuid)
    await lockCheck(tx, id)
    check(await sourceOf(tx, resource.id, uuid))
    await endMirror(tx, id)
    await deleteRow(tx, id)
    await bumpResources(tx, provider.id, [resource.id])
    const events = {
      'calendar.removed': [{ subject: id, detail: `${uuid.toLowerCase()} ${resource.reference}` }],
    }
    await recordEvents(tx, service, { actor, provider, events })
  })
}

/** Reads it as soon as a worker is free, usually within a second. */
export async function refreshSource({ service, resource }: SourcePlace, uuid: string): Promise<SourceRow> {
  const { id } = await sourceOf(service.db, resource.id, uuid)
  await requestCheck(service.db, id)
  return sourceOf(service.db, resource.id, uuid)
}

/** Writes ours over what was changed or deleted in the calendar: all of it, or these entries. */
export async function rewriteMirror(
  { service, actor, provider, resource }: SourcePlace,
  uuid: string,
  entries: string[] | null,
): Promise<SourceRow> {
  return service.db.transaction(async tx => {
    const { id } = await sourceOf(tx, resource.id, uuid)
    const count = await rewriteEntries(tx, id, entries)
    if (count > 0)
      await recordEvents(tx, service, { actor, provider, events: { 'calendar.rewritten': [id] } })
    return sourceOf(tx, resource.id, uuid)
  })
}

/** Asks the server without storing anything. */
export async function testNewSource(
  { service, provider }: SourcePlace,
  { kind, ...fields }: SourceFields & { kind: SourceKind; address: string },
): Promise<SourceTest> {
  const secrets = readSecrets(service, kind, fields)
  return askServer(service, provider, { kind, secrets, calendars: fields.calendars ?? null })
}

/** With the fields sent instead of the stored ones. */
export async function testKnownSource(
  { service, provider, resource }: SourcePlace,
  uuid: string,
  fields: SourceFields,
): Promise<SourceTest> {
  const source = await sourceOf(service.db, resource.id, uuid)
  const { secrets } = changedSecrets(service, source, fields)
  const calendars = fields.calendars === undefined ? source.calendars : fields.calendars
  return askServer(service, provider, { kind: source.kind, secrets, calendars })
}

async function askServer(
  service: Service,
  { id, timeZone: zone }: ProviderRow,
  question: Pick<Parameters<typeof testSource>[1], 'kind' | 'secrets' | 'calendars'>,
): Promise<SourceTest> {
  const now = await readClock(service.db)
  const hosts = await ownHosts(service, id)
  return testSource(service.calendarClient, { ...question, zone, now, ownHosts: hosts })
}

/** The stored address and login with the fields sent. */
function changedSecrets(service: Service, known: SourceRow, fields: SourceFields) {
  const before = knownSecrets(service, known)
  const secrets = readSecrets(service, known.kind, {
    ...before,
    address: before?.url,
    ...omitUndefined(fields),
  })
  if (before?.password && fields.password === undefined && isElsewhere(secrets.url, before.url))
    throw missingField('password', 'password-again')
  return { before, secrets }
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
  if (address === undefined) throw missingField('address', 'address-again')
  const url = asWebAddress(address)
  const wrong = addressProblem(url, config.webhookAllowPrivate)
  if (wrong) throw invalidField('address', wrong)
  if (kind === 'caldav' && !user) throw missingField('user')
  if (kind === 'caldav' && !password) throw missingField('password')
  return { url: new URL(url).href, user: user || null, password: password || null }
}

function readSettings(kind: SourceKind, known: Settings, fields: SourceFields): Settings {
  const settings = { ...known }
  for (const name of Object.keys(defaults) as (keyof Settings)[]) {
    const value = fields[name]
    if (value !== undefined) Object.assign(settings, { [name]: value ?? defaults[name] })
  }
  if (settings.mirrorTo !== null && kind !== 'caldav') throw invalidField('mirrorTo', 'caldav-only')
  return Object.fromEntries(
    Object.keys(defaults).map(name => [name, settings[name as keyof Settings]]),
  ) as Settings
}
