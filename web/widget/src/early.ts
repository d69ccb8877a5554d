/** By address, what was asked before the widget came: see /embed.js. */
type Early = Map<string, Promise<Response>>

/** Once: whoever asks again wants to know what is so by then. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const early = (globalThis as { holdfastEarly?: Early }).holdfastEarly
  const answer = early?.get(url)
  early?.delete(url)
  return answer
}
