// A click counts only if press and release hit the same element. A change in between, such as a hint when a
// field loses focus, could move the pressed button away, and the click would be lost.

/** The longest delay between lifting a finger and its click. */
const clickDelay = 100

let isDown = document.querySelector(':active') !== null
let timer: ReturnType<typeof setTimeout> | undefined
let waiting: (() => void)[] = []

/** Draws now, or after the click if the pointer is down. */
export function whenSteady(draw: () => void) {
  if (isDown) waiting.push(draw)
  else draw()
}

function onDown(event: MouseEvent) {
  // Select boxes open on press, and not every browser reports the release.
  if (event.button || event.composedPath()[0] instanceof HTMLSelectElement) return
  clearTimeout(timer)
  timer = undefined
  isDown = true
}

/** Also called by moves without a pressed button: scroll bars and native pickers swallow the release. */
function onUp(event: { buttons?: number }) {
  if (isDown && !event.buttons) timer ??= setTimeout(release, clickDelay)
}

function release() {
  isDown = false
  const due = waiting
  waiting = []
  for (const draw of due) draw()
}

// After a touch, browsers also emit mouse press, release and click.
for (const name of ['pointerdown', 'mousedown'] as const) addEventListener(name, onDown, true)
for (const name of ['pointermove', 'pointerup', 'pointercancel', 'mouseup', 'blur'] as const)
  addEventListener(name, onUp as (event: Event) => void, true)
// Runs after all other listeners.
addEventListener('click', release)
