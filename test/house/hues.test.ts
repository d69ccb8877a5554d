import { expect, test } from 'vitest'
import { contrast, mix } from '../../web/shared/color.ts'
import { colors, hueShare, hues } from '../../web/shared/tokens.ts'

// The colours of the calendar, in light and in dark.

const cases = hues.flatMap((pair, index) =>
  ([0, 1] as const).map(scheme => {
    const ground = mix(colors.card[scheme], pair[scheme], hueShare[scheme] / 100)
    return { name: `hue ${index} in ${['light', 'dark'][scheme]}`, hue: pair[scheme], ground, scheme }
  }),
)

test.each(cases)('$name carries text, and its stripe stands out', ({ hue, ground, scheme }) => {
  expect(contrast(colors.ink[scheme], ground)).toBeGreaterThanOrEqual(7)
  expect(contrast(hue, ground)).toBeGreaterThanOrEqual(3)
  expect(contrast(hue, colors.card[scheme])).toBeGreaterThanOrEqual(3)
})
