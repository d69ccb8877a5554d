// Where a small dialog fits beside something, in pixels of the screen.

type Point = { x: number; y: number }
type Size = { width: number; height: number }
export type Box = { left: number; top: number; right: number; bottom: number }

const gap = 12

/** To the right of a point, or to its left. */
export function besidePoint(at: Point, { width, height }: Size, screen: Size): Point {
  const isLeft = at.x + gap + width > screen.width - gap
  return {
    x: Math.max(gap, isLeft ? at.x - gap - width : at.x + gap),
    y: onScreen(at.y - 2 * gap, height, screen.height),
  }
}

/**
 * Covers none of the boxes where there is room; else at least not the first, the most important one. In the middle of the
 * screen if even that is too large.
 */
export function besideBoxes(boxes: Box[], size: Size, screen: Size): Point {
  const [first] = boxes
  const spots = [first!, around(boxes)].flatMap(box => spotsBeside(box, size, screen))
  return (
    spots.find(spot => boxes.every(box => !covers(spot, size, box))) ??
    spots.find(spot => !covers(spot, size, first!)) ?? {
      x: Math.max(gap, (screen.width - size.width) / 2),
      y: Math.max(gap, (screen.height - size.height) / 2),
    }
  )
}

/** Those that are on the screen: right, left, below, above. */
function spotsBeside(box: Box, { width, height }: Size, screen: Size): Point[] {
  const x = onScreen(box.left, width, screen.width)
  const y = onScreen(box.top, height, screen.height)
  return [
    { x: box.right + gap, y },
    { x: box.left - gap - width, y },
    { x, y: box.bottom + gap },
    { x, y: box.top - gap - height },
  ].filter(
    spot =>
      spot.x >= gap &&
      spot.y >= gap &&
      spot.x + width <= screen.width - gap &&
      spot.y + height <= screen.height - gap,
  )
}

const around = (boxes: Box[]): Box => ({
  left: Math.min(...boxes.map(one => one.left)),
  top: Math.min(...boxes.map(one => one.top)),
  right: Math.max(...boxes.map(one => one.right)),
  bottom: Math.max(...boxes.map(one => one.bottom)),
})

const covers = ({ x, y }: Point, { width, height }: Size, box: Box) =>
  x < box.right && x + width > box.left && y < box.bottom && y + height > box.top

const onScreen = (wanted: number, length: number, room: number) =>
  Math.max(gap, Math.min(wanted, room - length - gap))
