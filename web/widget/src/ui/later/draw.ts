import type { VNode } from 'preact'
import type { Draw } from '#shared/confirmation.ts'
import { jsxNode } from './kit.ts'

/** For markup that the server draws as HTML. A function, since the kit arrives late. */
export const draw: Draw<VNode> = (...element) => jsxNode(...(element as Parameters<typeof jsxNode>)) as never
