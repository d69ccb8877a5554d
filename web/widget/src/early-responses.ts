/** Requests that /embed.js sent before the widget loaded, by URL. */
type Early = Map<string, Promise<Response>>

/** Used once: a repeated request needs a fresh answer. */
export function takeEarlyResponse(url: string): Promise<Response> | undefined {
  const early = (globalThis as { holdfastEarly?: Early }).holdfastEarly
  const answer = early?.get(url)
  early?.delete(url)
  return answer
}
