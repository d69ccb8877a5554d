import { useEffect, useState } from 'preact/hooks'

/** The current time to half a minute, so that "now" and "late" stay up to date. */
export function useNow(isOn = true): number {
  const [now, set] = useState(Date.now)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => set(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [isOn])
  return now
}
