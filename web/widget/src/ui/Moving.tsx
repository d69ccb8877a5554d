import { useUi } from './context.ts'

/** For a move: the current time, and the requested one. */
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

/** A real link that also works on its own; here it is followed in place. */
export function MoveLink() {
  const { state, texts, move } = useUi()
  const link = state.booked!.moveLink
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    move(link)
  }
  return (
    <a class="quiet" href={link} part="move-link" onClick={onClick}>
      {texts.moveBooking}
    </a>
  )
}

/** After going back from the confirmation: the booking, and a link to it. */
export function BookedBefore() {
  const { state, texts, format, flow } = useUi()
  const { booked, moving, zone } = state
  if (!booked || moving || booked.status === 'cancelled') return null
  return (
    <button type="button" class="link booked" onClick={flow.showBooked}>
      {texts[booked.status]}
      {texts.colon} {format.when(booked.start, zone)}
    </button>
  )
}
