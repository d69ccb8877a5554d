import { productTexts } from './product-words.ts'

type Props = {
  lead: number | null
  duration: number | null
  longest: number | null
  followUp: number | null
}

const usualDuration = 30
/** Below this width in pixels a label does not fit. */
const narrow = 60

/** A booking as a bar: buffer before, appointment, buffer after. */
export function BufferLine({ lead, duration, longest, followUp }: Props) {
  const before = Math.max(0, lead ?? 0)
  const after = Math.max(0, followUp ?? 0)
  const middle = Math.max(5, duration ?? usualDuration)
  const total = before + middle + after
  const most = total + Math.max(0, (longest ?? 0) - middle)
  const x = (minutes: number) => (minutes / total) * 400
  const parts = [
    before && productTexts.minutesBefore(before),
    productTexts.inMinutes(middle),
    after && productTexts.minutesAfter(after),
  ]
  return (
    <figure class="buffers">
      <svg viewBox="0 0 400 40" role="img" aria-label={parts.filter(Boolean).join(', ')}>
        <defs>
          <pattern
            id="hatch"
            width="8"
            height="8"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <line x1="0" y1="0" x2="0" y2="8" class="hatch" />
          </pattern>
        </defs>
        <rect class="around" x="0" y="8" width={x(before)} height="24" fill="url(#hatch)" />
        <rect class="booked" x={x(before)} y="4" width={x(middle)} height="32" rx="4" />
        <rect class="around" x={x(before + middle)} y="8" width={x(after)} height="24" fill="url(#hatch)" />
        {x(middle) > narrow && (
          <text class="minutes" x={x(before + middle / 2)} y="24">
            {productTexts.inMinutes(middle)}
          </text>
        )}
      </svg>
      <figcaption class="soft figures">
        {productTexts.totalMinutes(most > total ? `${total} – ${most}` : total)}
      </figcaption>
    </figure>
  )
}
