import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { LogFollower } from '../../../db/event-listener.ts'
import type { LogLine, LogPosition } from '../../../db/events.ts'
import { liveSessions } from '../../../db/setup/console-sessions.ts'
import { tooManyRequests } from '../../../errors.ts'
import type { Service } from '../../../service.ts'

// Open calendars follow their Provider through server-sent events. Those that show the same share one read and
// one text, so that another open calendar costs a write to its socket.

/** `since`: the newest event when its rights were checked. */
type Stream = {
  asker: string
  session: Buffer | null
  since: LogPosition
  /** The beginning and the end go through `out`; the rest goes straight to the response. */
  out: Readable
  response: ServerResponse
  endsAt: number
  isEnded: boolean
}

type Opening = Pick<Stream, 'asker' | 'session' | 'since' | 'response'> & { first: () => Promise<object> }

/** What streams show, and how to read it. `key` differs with everything that makes the text differ. */
export type Shown = {
  key: string
  crmId: number
  providerId: number
  /** Whether it shows holds, which are not events. */
  hasHolds: boolean
  /** What the first stream has read. */
  since: LogPosition
  read(lines: LogLine[]): Promise<object>
}

type Group = Shown & { streams: Set<Stream>; lines: LogLine[]; pulse: string; timer: NodeJS.Timeout | null }

const maxStreams = 5_000
const maxPerLogin = 100
const retrySeconds = 5
/** On busy days, changes are sent together. */
const pauseMs = 300
/** Shorter than the idle timeout of proxies. */
const heartbeatMs = 25_000
/** A client that reads too slowly is cut off and catches up. */
const maxBuffered = 1024 * 1024
/** Then the client connects again, and its rights are checked again. */
const lifetimeMs = 10 * 60_000

export class LiveStreams implements LogFollower {
  service: Service
  groups = new Map<string, Group>()
  heartbeat: NodeJS.Timeout | null = null

  constructor(service: Service) {
    this.service = service
  }

  /** Changes from now on; `first` is sent before them. */
  async open(shown: Shown, { first, ...opening }: Opening) {
    const { asker } = opening
    const all = this.streams()
    const own = all.filter(one => one.asker === asker).length
    if (all.length >= maxStreams || own >= maxPerLogin) throw tooManyRequests(retrySeconds)
    const out = new Readable({ read() {} })
    const stream: Stream = { ...opening, out, endsAt: performance.now() + lifetimeMs, isEnded: false }
    const group = this.groups.get(shown.key) ?? {
      ...shown,
      streams: new Set(),
      lines: [],
      pulse: '',
      timer: null,
    }
    group.streams.add(stream)
    this.groups.set(shown.key, group)
    stream.out.once('close', () => this.remove(group, stream))
    this.heartbeat ??= setInterval(() => void this.beat(), heartbeatMs).unref()
    try {
      this.service.eventListener.follow(this)
      await this.service.eventListener.begin()
      push(stream, bytesOf(await first()))
    } catch (error) {
      stream.out.destroy()
      throw error
    }
    return stream.out
  }

  streams = () => [...this.groups.values()].flatMap(group => [...group.streams])

  watched = () => [...this.groups.values()].filter(one => one.hasHolds).map(one => one.providerId)

  see(lines: LogLine[], counters: Map<number, string>) {
    const byProvider = Map.groupBy(lines, line => line.providerId)
    for (const group of this.groups.values()) {
      const own = (byProvider.get(group.providerId) ?? []).filter(line => isAfter(line, group.since))
      const pulse = (group.hasHolds && counters.get(group.providerId)) || group.pulse
      if (own.length === 0 && pulse === group.pulse) continue
      group.lines.push(...own)
      group.pulse = pulse
      // The rights of its team may have changed.
      const team = own.findLast(line => line.kind.startsWith('staff.'))
      if (team) this.end([...group.streams].filter(one => isAfter(team, one.since)))
      group.timer ??= setTimeout(() => void this.send(group), pauseMs)
    }
  }

  async send(group: Group) {
    group.timer = null
    try {
      const bytes = bytesOf(await group.read(group.lines.splice(0)))
      for (const stream of group.streams)
        if (stream.out.readableLength + stream.response.writableLength > maxBuffered) stream.out.destroy()
        else push(stream, bytes)
    } catch {
      // They connect again and catch up.
      this.end(group.streams)
    }
  }

  /** Keeps connections open, and ends those of sessions that have ended. */
  async beat() {
    const streams = this.streams()
    for (const stream of streams) push(stream, heartbeat)
    const hashes = streams.flatMap(one => (one.session ? [one.session] : []))
    const live = await liveSessions(this.service.db, hashes).catch(() => null)
    const isOver = ({ session, endsAt }: Stream) =>
      endsAt < performance.now() || (live !== null && session !== null && !live.has(session.toString('hex')))
    this.end(streams.filter(isOver))
  }

  /** Those that are still reading what comes first end when they connect again. */
  end(streams: Iterable<Stream>) {
    for (const stream of [...streams])
      if (stream.out.readableLength > 0 || stream.out.readableDidRead) push(stream, null)
  }

  remove(group: Group, stream: Stream) {
    group.streams.delete(stream)
    if (group.streams.size > 0) return
    if (group.timer) clearTimeout(group.timer)
    this.groups.delete(group.key)
    if (this.groups.size > 0) return
    this.service.eventListener.followers.delete(this)
    if (this.heartbeat) clearInterval(this.heartbeat)
    this.heartbeat = null
  }

  stop() {
    this.end(this.streams())
  }
}

const isAfter = (a: LogPosition, b: LogPosition) =>
  a.era !== b.era ? a.era > b.era : a.xid !== b.xid ? BigInt(a.xid) > BigInt(b.xid) : a.id > b.id

/** Null ends the stream. */
function push(stream: Stream, bytes: Buffer | null) {
  const { out, response } = stream
  if (stream.isEnded || response.destroyed || response.writableEnded) return
  stream.isEnded = bytes === null
  // A stream in between costs a fifth of a message.
  if (bytes && out.readableDidRead && out.readableLength === 0) response.write(bytes)
  else out.push(bytes)
}

/** Encoded once for all streams that show the same. */
const bytesOf = (message: object) => Buffer.from(`data: ${JSON.stringify(message)}\n\n`)
const heartbeat = Buffer.from(':\n\n')

const known = new WeakMap<Service, LiveStreams>()

export function liveStreams(service: Service): LiveStreams {
  const streams = known.get(service) ?? new LiveStreams(service)
  known.set(service, streams)
  return streams
}
