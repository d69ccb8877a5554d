/** A status as a word and a shape, never as a colour alone. */
export type Tone = 'good' | 'wait' | 'bad' | 'off' | 'plain'

const shapes: Record<Tone, string> = { good: '●', wait: '◐', bad: '▲', off: '○', plain: '■' }

export function Chip({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span class={`chip ${tone}`}>
      <span aria-hidden="true">{shapes[tone]}</span> {children}
    </span>
  )
}
