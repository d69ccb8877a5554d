import type Type from 'typebox'
import { branches } from '../../rules/references.ts'
import { Choice, DocumentedAs, Text } from '../wire/fields.ts'

export const Branch = Choice(branches, { title: 'Branch' })
export type Branch = Type.Static<typeof Branch>

/** Accepts any text: an unknown branch returns 404 with its own message. */
export const BranchInput = DocumentedAs(Text(255), Branch)
