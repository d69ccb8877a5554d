import { useEffect, useState } from 'preact/hooks'

/** What time it is, to about half a minute: "now" and "late" move on while one only looks. */
export function useMinute(isOn = true): number {
  const [now, set] = useState(Date.now)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => set(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [isOn])
  return now
}
