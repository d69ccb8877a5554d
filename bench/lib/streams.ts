import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { inParallel } from './seed.ts'
import { type Running, withSql } from './service.ts'

// Open calendars of the console: connections that read what is sent and throw it away.

const perLogin = 50

export type Streams = { count: number; messages(): number; close(): void }

/** One after the other of `paths`; each login has a few. */
export async function openStreams(service: Running, paths: string[]): Promise<Streams> {
  const sessions = await makeLogins(service, Math.ceil(paths.length / perLogin))
  let messages = 0
  const sockets = await inParallel(
    paths.map((path, index) => ({ path, session: sessions[index % sessions.length]! })),
    16,
    async ({ path, session }) => {
      const socket = net.connect({ port: service.port, host: '127.0.0.1' })
      socket.on('error', () => {})
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: holdfast_session=${session}\r\n\r\n`)
      const [head] = (await once(socket, 'data')) as [Buffer]
      if (!head.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(`A stream: ${head}`)
      socket.on('data', chunk => {
        if (chunk.includes('data:')) messages++
      })
      return socket
    },
  )
  const close = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { count: sockets.length, messages: () => messages, close }
}

/** Operators who are logged in: their sessions. */
async function makeLogins(service: Running, count: number): Promise<string[]> {
  const sessions = Array.from({ length: count }, () => randomUUID())
  const hashes = sessions.map(one => createHash('sha256').update(one).digest())
  await withSql(service, client =>
    client.query(
      `with logins as (
        insert into console_user (email, name, role, language)
        select 'console-' || gen_random_uuid() || '@example.org', 'Bo', 'operator', 'en' from unnest($1::bytea[]) returning id
      ), numbered as (select id, row_number() over () as number from logins)
      insert into console_session (hash, console_user_id, expires_at)
      select hash, id, now() + interval '1 day' from unnest($1::bytea[]) with ordinality as session (hash, number) join numbered using (number)`,
      [hashes],
    ),
  )
  return sessions
}
