import { setTimeout as pause } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: bodies of several calls
export type Answer = { status: number; text: string; body: any; wasUnsure: boolean }

type Asking = {
  /** Sent as a form or as JSON. */
  body?: URLSearchParams | object
  headers?: Record<string, string>
  /** Whether the response is not definite. */
  isOpen?: (answer: Answer) => boolean
  report?: (trouble: { what: 'asked again' | '5xx' | 'cut off'; detail?: string }) => void
}

/**
 * Retries until there is a definite response: the service is being killed, and after a lost connection the outcome
 * is unknown. All requests here can be repeated. `wasUnsure`: an earlier attempt may have had its effect.
 */
export async function ask(
  origin: string,
  method: string,
  path: string,
  { body, headers = {}, isOpen = () => false, report = () => {} }: Asking = {},
): Promise<Answer> {
  const isJson = body && !(body instanceof URLSearchParams)
  for (let wasUnsure = false; ; wasUnsure = true, report({ what: 'asked again' })) {
    try {
      const response = await fetch(origin + path, {
        method,
        redirect: 'manual',
        headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
        body: body instanceof URLSearchParams ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      })
      const text = await response.text()
      const answer = { status: response.status, text, body: jsonOf(text), wasUnsure }
      if (answer.status < 500 && !isOpen(answer)) return answer
      report({ what: '5xx', detail: `${answer.status} ${method} ${path}: ${text.slice(0, 300)}` })
    } catch {
      report({ what: 'cut off' })
    }
    await pause(100 + Math.random() * 200)
  }
}

function jsonOf(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The slots of a list. */
export const slotsIn = <Slot>(list: object | null): Slot[] =>
  Object.values(list ?? {})
    .flat()
    .filter(one => one?.start)
