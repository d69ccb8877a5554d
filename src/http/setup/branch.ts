import type Type from 'typebox'
import { branches } from '../../rules/references.ts'
import { Choice, ShownAs, Text } from '../wire/fields.ts'

export const Branch = Choice(branches, { title: 'Branch' })
export type Branch = Type.Static<typeof Branch>

/** Any text passes here: an unknown branch is answered with 404 and a sentence of its own. */
export const BranchInput = ShownAs(Text(255), Branch)
