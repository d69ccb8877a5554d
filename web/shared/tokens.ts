/**
 * The colours, font sizes, radii and shadows of everything people see: widget, pages, console and emails.
 * No other file names one (test/house/tokens.test.ts).
 */

/** In light and in dark. */
type Pair = readonly [light: string, dark: string]

/** Fills keep a business' own colour; links and strokes are darkened until they can be read. */
export type Tone = { accent: string; onAccent: string; fill: string; onFill: string }

const pair = (light: string, dark: string): Pair => [light, dark]

/** The two that text on a fill is chosen from, by contrast. Codes to scan are on white, whatever the theme. */
export const white = '#ffffff'
export const black = '#111111'

/** For businesses that chose none. */
export const accent = pair('#0b6e69', '#5cc4bc')
const onAccent = pair('#ffffff', '#06211f')

export const colors = {
  white: pair(white, white),
  ink: pair('#1c2528', '#e8eeef'),
  soft: pair('#59666b', '#a5b2b6'),
  paper: pair('#f4f6f6', '#12181a'),
  card: pair('#ffffff', '#1b2326'),
  /** A part of a card that stands out, without a business' colour. */
  panel: pair('#f1f4f4', '#252e31'),
  /** Hairlines. What can be typed into or pressed has the darker edge, which keeps a contrast of 3 to 1. */
  line: pair('#d5dcde', '#364246'),
  edge: pair('#7d898d', '#77868b'),
  bad: pair('#a3261d', '#ff9d94'),
  badTint: pair('#fdf0ee', '#3a2220'),
  good: pair('#19692c', '#7fd492'),
  wait: pair('#8a5a00', '#f0bf5c'),
  /** Time at which a business is closed, and lanes that are raised above it. */
  shut: pair('#e7ecee', '#0f1415'),
  raised: pair('#ffffff', '#303c41'),
  /** Messages that lie on top of a page stand out from it. */
  toast: pair('#1c2528', '#e8eeef'),
  onToast: pair('#ffffff', '#12181a'),
  badToast: pair('#7d1b14', '#ffb9b2'),
  veil: pair('#00000059', '#00000099'),
  shadow: pair('#0000000f', '#00000033'),
  deepShadow: pair('#00000033', '#000000aa'),
} as const

/**
 * Colours that tell people, rooms or services apart in the console's calendar: as a stripe, and mixed into the
 * card as the ground of text. No red or amber, which say that something is not as planned.
 */
export const hues: readonly Pair[] = [
  pair('#0b6e69', '#5cc4bc'),
  pair('#3a5fc8', '#93aefc'),
  pair('#8a3ea8', '#d59af0'),
  pair('#4f7212', '#a9d15a'),
  pair('#a83a74', '#f59cc8'),
  pair('#0a76a0', '#6bc5ec'),
  pair('#7a5a3c', '#d3b08c'),
  pair('#5b50c4', '#b3aafc'),
  pair('#52646c', '#a9bcc4'),
  pair('#1b7a45', '#74d69c'),
]
/** How much of a hue is mixed into the card, in per cent. */
export const hueShare = [19, 24] as const

/** In pixels at the browser's usual size: `rem` or `em` makes them follow the reader's own. */
export const fontSizes = { small: 13, text: 15, body: 16, head: 20, title: 28 } as const
/** Distances, in pixels at the browser's usual size. Hairlines and optical corrections of 1 to 3 pixels are beside them. */
export const spaces = [4, 8, 12, 16, 24, 32, 48] as const
/** Pictures of services and people are squares. */
export const pictureSize = 56
/** Heights of rows: with a button in them, of a list of the day, and of that list on a screen that is not tall or for fingers. */
export const rowHeights = { plain: 40, list: 36, dense: 28, touch: 44 } as const
/** For a mouse only. */
export const denseScreen = '(max-height: 1000px) and (pointer: fine)'
export const weights = [400, 600, 700] as const
export const radii = { control: 8, card: 12, pill: 999 } as const

/** The host page of a widget may set these. */
const hooks: Partial<Record<keyof typeof colors, string>> = {
  ink: 'ink',
  soft: 'soft',
  card: 'background',
  line: 'line',
}

const dashed = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

const both = ([light, dark]: Pair) => `light-dark(${light}, ${dark})`

function colorLine(name: keyof typeof colors): string {
  const hook = hooks[name]
  const value = both(colors[name])
  return `  --${dashed(name)}: ${hook ? `var(--holdfast-${hook}, ${value})` : value};`
}

/** A business' own colour: comes before ours, and after that of a widget's host page. */
export const ownColors = (light: Tone, dark: Tone) =>
  `--own-accent: ${both([light.accent, dark.accent])}; --own-fill: ${both([light.fill, dark.fill])}; --own-on-fill: ${both([light.onFill, dark.onFill])};`

const fontLine = ([name, px]: [string, number], unit: string) =>
  `  --font-${name}: ${px === fontSizes.body ? `max(16px, 1${unit})` : `${px / 16}${unit}`};`

/** As custom properties. Inside a widget `rem` would be the host page's, so that sizes are in `em` there. */
export function tokensCss(
  selector: string,
  unit: 'rem' | 'em',
  only?: readonly (keyof typeof colors)[],
): string {
  const names = only ?? (Object.keys(colors) as (keyof typeof colors)[])
  return `${selector} {
  --accent: var(--holdfast-accent, var(--own-accent, ${both(accent)}));
  --fill: var(--holdfast-fill, var(--holdfast-accent, var(--own-fill, ${both(accent)})));
  --on-fill: var(--holdfast-on-fill, var(--holdfast-on-accent, var(--own-on-fill, ${both(onAccent)})));
  --tint: color-mix(in srgb, var(--accent) 12%, var(--card));
${names.map(colorLine).join('\n')}
  --radius: var(--holdfast-radius, ${radii.card}px);
  --small: calc(var(--radius) * 2 / 3);
  --pill: ${radii.pill}px;
${Object.entries(fontSizes)
  .map(size => fontLine(size, unit))
  .join('\n')}
}
`
}

export const rowsCss = (selector: string): string =>
  `${selector} { --row: ${rowHeights.plain}px; --list-row: ${rowHeights.list}px; }
@media ${denseScreen} { ${selector} { --list-row: ${rowHeights.dense}px; } }
@media (pointer: coarse) { ${selector} { --list-row: ${rowHeights.touch}px; } }
`

/** `.hue-0` and so on set a stripe and a ground. */
export const huesCss = (selector: string): string =>
  hues
    .map(([light, dark], index) => {
      const grounds = [
        `color-mix(in srgb, ${light} ${hueShare[0]}%, ${colors.card[0]})`,
        `color-mix(in srgb, ${dark} ${hueShare[1]}%, ${colors.card[1]})`,
      ]
      return `${selector} .hue-${index} { --hue: ${both([light, dark])}; --hue-ground: light-dark(${grounds}); }\n`
    })
    .join('')
