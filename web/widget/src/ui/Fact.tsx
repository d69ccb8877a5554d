import type { ComponentChildren } from 'preact'

type Props = { name: string; part?: string; children: ComponentChildren }

export function Fact({ name, part, children }: Props) {
  return (
    <div part={part}>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  )
}
