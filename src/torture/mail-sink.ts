import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

// A minimal SMTP server: accepts every email and records its recipient, kind and Message-ID.

/** `link`: the path of the link, in offers of the waiting list and proposals of agents. */
export type Arrival = { to: string; kind: string; messageId: string; link?: string }

export type MailSink = { url: string; arrivals: Arrival[]; close(): void }

export async function openMailSink(): Promise<MailSink> {
  const arrivals: Arrival[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Senders are killed in the middle of a transfer.
    socket.on('error', () => {})
    converse(socket, arrivals)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function converse(socket: Socket, arrivals: Arrival[]) {
  let unread = ''
  let to = ''
  let isData = false
  const say = (line: string) => socket.write(`${line}\r\n`)
  say('220 ready')
  socket.on('data', chunk => {
    unread += chunk.toString('latin1')
    for (;;) {
      const end = isData ? '\r\n.\r\n' : '\r\n'
      const at = unread.indexOf(end)
      if (at < 0) return
      const text = unread.slice(0, at)
      unread = unread.slice(at + end.length)
      if (isData) {
        isData = false
        const kind = header(text, 'x-holdfast-mail')
        const link = linkIn(text, kind)
        arrivals.push({ to, kind, messageId: header(text, 'message-id'), ...(link && { link }) })
        say('250 taken')
      } else onLine(text)
    }
  })

  function onLine(line: string) {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'RCPT') to = line.match(/<([^>]*)>/)?.[1] ?? ''
    isData = verb === 'DATA'
    say(isData ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 fine')
    if (verb === 'QUIT') socket.end()
  }
}

/** Long lines are broken in quoted-printable. */
function linkIn(mail: string, kind: string): string | null {
  const link = { offer: /\/offer\/[\w.~%-]+/, proposal: /\/confirm\/[\w.~%-]+/ }[kind]
  return link?.exec(mail.replace(/=\r\n/g, '').replace(/=3D/g, '='))?.[0] ?? null
}

function header(mail: string, name: string): string {
  const head = mail.slice(0, mail.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const line = head.split('\r\n').find(one => one.toLowerCase().startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim() ?? ''
}
