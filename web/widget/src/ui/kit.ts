import { fieldNames, limits } from '#shared/fields.ts'
import { countdown, duration } from '#shared/format.ts'
import { asksForRequest, chosenProduct, isTooLate, shownPlace } from '../state.ts'
import { onEscape, useFocus, useReturn, useStepFocus, useUi } from './context.ts'
import { Lost } from './Lost.tsx'
import type { Kit } from './later/kit.ts'
import { MoveLink, SoFar } from './Moving.tsx'
import { Problem } from './Problem.tsx'
import { Fragment, h, useEffect, useRef, useState } from './render.ts'

/** For the steps that load later. */
export const kit: Kit = {
  h,
  Fragment,
  useState,
  useEffect,
  useRef,
  useUi,
  useFocus,
  useReturn,
  useStepFocus,
  onEscape,
  asksForRequest,
  chosenProduct,
  isTooLate,
  shownPlace,
  fieldNames,
  limits,
  countdown,
  duration,
  Lost,
  MoveLink,
  SoFar,
  Problem,
}
