import { countdown, useEffect, useState, useUi } from './kit.ts'

/** Silent until the last minute; announced at 60 and at 15 seconds. */
export function Countdown() {
  const { state, texts, flow } = useUi()
  const expiresAt = state.hold?.expiresAt
  const secondsLeft = () => Math.max(0, Math.ceil(((expiresAt ?? 0) - flow.now()) / 1000))
  const [left, setLeft] = useState(secondsLeft)
  useEffect(() => {
    let before = secondsLeft()
    setLeft(before)
    const timer = setInterval(() => {
      const now = secondsLeft()
      if (before > 60 && now <= 60) flow.say(texts.oneMinuteLeft)
      if (before > 15 && now <= 15) flow.say(texts.fewSecondsLeft)
      before = now
      setLeft(now)
    }, 1000)
    return () => clearInterval(timer)
  }, [expiresAt])
  if (!expiresAt) return null
  return (
    <p id="held" class={left <= 60 ? 'countdown soon' : 'countdown'} part="countdown" role="timer">
      <bdi>{texts.heldFor(countdown(left))}</bdi>
    </p>
  )
}
