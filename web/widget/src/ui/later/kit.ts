import type * as fields from '#shared/fields.ts'
import type * as format from '#shared/format.ts'
import type * as state from '../../state.ts'
import type * as context from '../context.ts'
import type { Lost as LostOf } from '../Lost.tsx'
import type * as moving from '../Moving.tsx'
import type { Problem as ProblemOf } from '../Problem.tsx'
import type * as render from '../render.ts'

// What the later steps use of the main file. They get it handed over instead of importing it: after an upgrade
// the main file may have another name, and a second copy of render.ts could not draw into the first.

export type Kit = Pick<typeof render, 'h' | 'Fragment' | 'useState' | 'useEffect' | 'useRef'> &
  Pick<typeof context, 'useUi' | 'useFocus' | 'useReturn' | 'useStepFocus' | 'onEscape'> &
  Pick<typeof state, 'asksForRequest' | 'chosenProduct' | 'isTooLate' | 'shownPlace'> &
  Pick<typeof fields, 'fieldNames' | 'limits'> &
  Pick<typeof format, 'countdown' | 'duration'> &
  Pick<typeof moving, 'MoveLink' | 'SoFar'> & {
    Lost: typeof LostOf
    Problem: typeof ProblemOf
  }

/** Under the names that the build gives JSX (vite.config.ts). */
export let jsxNode: Kit['h']
export let JsxNodes: Kit['Fragment']
export let useState: Kit['useState']
export let useEffect: Kit['useEffect']
export let useRef: Kit['useRef']
export let useUi: Kit['useUi']
export let useFocus: Kit['useFocus']
export let useReturn: Kit['useReturn']
export let useStepFocus: Kit['useStepFocus']
export let onEscape: Kit['onEscape']
export let asksForRequest: Kit['asksForRequest']
export let chosenProduct: Kit['chosenProduct']
export let isTooLate: Kit['isTooLate']
export let shownPlace: Kit['shownPlace']
export let fieldNames: Kit['fieldNames']
export let limits: Kit['limits']
export let countdown: Kit['countdown']
export let duration: Kit['duration']
export let Lost: Kit['Lost']
export let MoveLink: Kit['MoveLink']
export let SoFar: Kit['SoFar']
export let Problem: Kit['Problem']

export function takeKit(kit: Kit) {
  ;({ h: jsxNode, Fragment: JsxNodes, useState, useEffect, useRef } = kit)
  ;({ useUi, useFocus, useReturn, useStepFocus, onEscape } = kit)
  ;({ asksForRequest, chosenProduct, isTooLate, shownPlace, fieldNames, limits } = kit)
  ;({ countdown, duration, Lost, MoveLink, SoFar, Problem } = kit)
}
