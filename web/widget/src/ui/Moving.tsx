import { useUi } from './context.ts'

/** For whoever moves a booking: which time it has, and which one they have asked for. */
export function SoFar() {
  const { state, texts, format } = useUi()
  const { moving, zone } = state
  if (!moving) return null
  return (
    <p class="hint" part="so-far">
      {moving.name}
      {texts.colon} <strong>{format.when(moving.start, zone)}</strong>
      {moving.asked && (
        <>
          <br />
          {moving.askedName}
          {texts.colon} <strong>{format.when(moving.asked, zone)}</strong>
        </>
      )}
    </p>
  )
}

/** A real link that also works alone; here it is followed in place. */
export function MoveLink() {
  const { state, texts, move } = useUi()
  const link = state.booked!.moveLink
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    move(link)
  }
  return (
    <a href={link} part="move-link" onClick={onClick}>
      {texts.moveBooking}
    </a>
  )
}
