// A real SMTP server that tests can make misbehave.

import PostalMime, { type Email } from 'postal-mime'
import * as smtpServer from 'smtp-server'

export type Letter = { to: string; mail: Email; messageId: string; kind: string; at: number; raw: string }

/**
 * What happens to one attempt. The default is `accept`.
 * refuse: the recipient is refused permanently; busy: temporarily; silent: no greeting; hangup: closed before the greeting;
 * hang: accepts the email and never answers; drop: accepts the email and closes the connection instead of answering.
 */
export type Mood = 'accept' | 'refuse' | 'busy' | 'silent' | 'hangup' | 'hang' | 'drop'

export type TestSmtp = {
  url: string
  /**
   * With short timeouts, for servers that are silent. A busy machine can exceed them too: then the email is sent again
   * although the server accepted it.
   */
  impatientUrl: string
  port: number
  /** What happens to the next attempts, one each; after that every email is accepted. */
  moods: Mood[]
  /** Everything that was sent completely, accepted or not. */
  tried: Letter[]
  /** What was accepted. */
  accepted: Letter[]
  /** Called with the whole email before it is answered. */
  beforeAnswer: ((letter: Letter) => void | Promise<void>) | null
  to(address: string): Letter[]
  close(): Promise<void>
}

// Only what this file uses, whatever types the package comes with.
type Session = { id: string; envelope: { rcptTo: { address: string }[] } }
type Done = (error?: Error) => void
type Options = {
  authOptional: boolean
  disabledCommands: string[]
  disableReverseLookup: boolean
  closeTimeout: number
  onConnect(session: Session, done: Done): void
  onRcptTo(to: { address: string }, session: Session, done: Done): void
  onData(stream: AsyncIterable<Buffer>, session: Session, done: Done): void
}
type Server = {
  server: { address(): unknown }
  connections: Set<{ id: string; _socket: { destroy(): void } }>
  listen(port: number, host: string, listening: () => void): void
  close(closed: () => void): void
  on(event: 'error', listener: () => void): void
}
const SmtpServer = smtpServer.SMTPServer as unknown as new (options: Options) => Server

const isOfConnection = (mood: Mood | undefined) => mood === 'silent' || mood === 'hangup'

/** `at`: a port chosen earlier, for a server that comes back. */
export async function startSmtp(at = 0): Promise<TestSmtp> {
  const moods: Mood[] = []
  const tried: Letter[] = []
  const accepted: Letter[] = []
  const server = new SmtpServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(session, done) {
      if (!isOfConnection(moods[0])) return done()
      if (moods.shift() === 'hangup') hangUp(session.id)
    },
    onRcptTo({ address }, _session, done) {
      const [mood] = moods
      if (mood !== 'refuse' && mood !== 'busy') return done()
      moods.shift()
      const responseCode = mood === 'refuse' ? 550 : 451
      done(Object.assign(new Error(`<${address}>: not here`), { responseCode }))
    },
    async onData(stream, session, done) {
      const letter = await readLetter(stream, session.envelope.rcptTo[0]!.address).catch(() => null)
      // The client disconnected in the middle of it.
      if (!letter) return
      tried.push(letter)
      await smtp.beforeAnswer?.(letter)
      const mood = isOfConnection(moods[0]) ? 'accept' : (moods.shift() ?? 'accept')
      if (mood === 'hang') return
      if (mood === 'drop') return hangUp(session.id)
      accepted.push(letter)
      done()
    },
  })
  const hangUp = (id: string) => {
    for (const connection of server.connections) if (connection.id === id) connection._socket.destroy()
  }
  // A client that is killed or gives up is not an error.
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(at, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  const url = `smtp://127.0.0.1:${port}`
  const smtp: TestSmtp = {
    url,
    impatientUrl: `${url}?greetingTimeout=2000&socketTimeout=2000`,
    port,
    moods,
    tried,
    accepted,
    beforeAnswer: null,
    to: address => accepted.filter(letter => letter.to === address),
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
  return smtp
}

async function readLetter(stream: AsyncIterable<Buffer>, to: string): Promise<Letter> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const mail = await PostalMime.parse(bytes)
  const header = (key: string) => mail.headers.find(one => one.key === key)?.value ?? ''
  const raw = bytes.toString('latin1')
  return { to, mail, messageId: header('message-id'), kind: header('x-holdfast-mail'), at: Date.now(), raw }
}
