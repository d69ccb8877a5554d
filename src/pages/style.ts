import { confirmationStyle } from '../../web/shared/confirmation-style.ts'
import { tokensCss } from '../../web/shared/tokens.ts'

const shown = ['ink', 'soft', 'paper', 'card', 'line', 'edge', 'bad', 'wait', 'shadow'] as const

/** Uses the widget's variables, so that pages and widget look alike. */
export const style = `
${tokensCss(':root', 'rem', shown)}:root { color-scheme: light dark }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: var(--font-body)/1.5 system-ui, sans-serif; overflow-wrap: anywhere; text-wrap: pretty }
main { max-width: 34rem; margin: 8vh auto 32px; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius) }
footer { max-width: 34rem; margin: 1rem auto; padding: 0 2rem; color: var(--soft); font-size: var(--font-small); white-space: pre-line }
@media (max-width: 36rem) { .links .button { flex: 1 1 auto } main { margin: 0; border-width: 0 0 1px; border-radius: 0; padding: 1.5rem } footer { padding: 0 1.5rem } }
.logo { display: block; height: 44px; max-width: 100%; object-fit: contain; object-position: 0 50%; margin-bottom: 1rem }
h1[data-initial], .brand { display: flex; align-items: center; gap: 12px }
.brand { margin-bottom: 24px; font-weight: 700 }
:is(h1, .brand, .business)[data-initial]::before { content: attr(data-initial); content: attr(data-initial) / ""; flex: none; width: 40px; line-height: 40px; border-radius: var(--small); background: var(--fill); color: var(--on-fill); text-align: center; box-shadow: inset 0 0 0 1px var(--accent) }
h1 span { white-space: nowrap }
h1 { font-size: var(--font-title); line-height: 1.25; margin: 0 0 1rem; text-wrap: balance }
h2 { font-size: var(--font-head); line-height: 1.25; margin: 1.5rem 0 .5rem }
h3 { font-size: var(--font-body); margin: 1rem 0 .5rem }
h4 { font-size: var(--font-small); color: var(--soft); margin: 12px 0 8px }
hr { margin: 1.5rem 0; border: 0; border-top: 1px solid var(--line) }
p { margin: 0 0 1rem }
.zone { margin: 0; font-size: var(--font-text) }
main > :last-child, .done > :last-child { margin-bottom: 0 }
.links .button { padding-inline: 16px }
.soft { color: var(--soft) }
.whole { display: inline-block }
.facts { display: grid; gap: 12px; margin: 0 0 16px }
.facts:empty { display: none }
.facts dt { font-size: var(--font-small); color: var(--soft) }
.facts dd { margin: 0 }
.facts strong, .when strong, .note strong, .entries strong { font-variant-numeric: tabular-nums }
.facts strong, .when strong { font-size: var(--font-head); font-weight: 600; line-height: 1.25 }
.badge { margin-bottom: 16px }
.calendar h2 { font-size: var(--font-body); margin-top: 24px }
.bad { color: var(--bad) }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.hint { padding: .5rem .75rem; border-inline-start: 3px solid var(--wait); text-wrap: balance }
label { display: block; font-weight: 600; margin-bottom: .25rem }
fieldset { border: 0; margin: 0 0 1rem; padding: 0 }
legend { font-weight: 600; padding: 0; margin-bottom: .25rem }
fieldset label { padding-block: 8px }
.typed-line { display: block; white-space: pre-line }
label:has([type=checkbox]) { font-weight: 400 }
textarea, input, select { font: inherit; width: 100%; min-height: 44px; padding: 8px; border: 1px solid var(--edge); border-radius: var(--small); background: var(--card); color: var(--ink) }
input[type=checkbox] { accent-color: var(--accent); width: 1.3em; min-height: 1.3em; vertical-align: middle }
[aria-invalid] { border: 2px solid var(--bad) }
input[type=radio] { accent-color: var(--accent); flex: none; width: 1.2em; min-height: 1.2em; margin: 0 }
.chips { display: flex; flex-wrap: wrap; gap: 8px }
.chips label { display: flex; align-items: center; gap: 8px; min-height: 44px; margin: 0; padding: 8px 12px; border: 1px solid var(--edge); border-radius: var(--pill); font-weight: 400; cursor: pointer }
.chips label:has(:checked) { border-color: var(--accent); background: var(--tint) }
pre { white-space: pre-wrap; font: inherit }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0 1rem }
.days .row { gap: 0 1rem }
.days label { display: inline-flex; align-items: center; gap: 8px; min-height: 44px; margin: 0 }
ul { padding-inline-start: 24px }
details { margin-bottom: 1rem }
summary { cursor: pointer }
.note .soft { color: inherit }
.note { padding: 12px 16px; border-radius: var(--small); background: var(--tint) }
.pill { padding: 2px 12px; border-radius: var(--pill); background: var(--tint); font-size: var(--font-small) }
.entries { list-style: none; margin: 0 0 1rem; padding: 0 }
.entries details { margin: 0; padding: 0 16px; border: 1px solid var(--line); border-radius: var(--radius) }
.entries summary { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 4px 12px; margin: 0 -16px; padding: 12px 16px; list-style: none }
.entries summary::-webkit-details-marker { display: none }
.entries summary::after { content: ""; grid-area: 1 / 2; width: .5em; height: .5em; margin-inline-end: 4px; border: solid; border-width: 0 2px 2px 0; transform: translateY(-25%) rotate(45deg) }
.entries [open] > summary::after { transform: translateY(25%) rotate(225deg) }
.entries .pill { justify-self: start }
.entries summary + * { margin-top: 8px }
li { margin-bottom: 8px }
button, .button { font: inherit; font-weight: 600; min-height: 44px; padding: 8px 24px; border: 1px solid var(--accent); border-radius: var(--small); background: var(--fill); color: var(--on-fill); cursor: pointer; text-align: center; text-decoration: none; text-wrap: balance; display: inline-block }
button.bad { background: var(--bad); border-color: var(--bad); color: var(--card) }
.quiet { border-color: var(--edge); background: none; color: var(--ink) }
.link { padding: 0; border: 0; background: none; color: var(--accent); font-weight: 400; text-align: start; text-decoration: underline }
.typed { white-space: pre-line; margin: 0 0 1rem; padding-inline-start: .75rem; border-inline-start: 3px solid var(--line) }
.dates select { margin-top: 4px }
.dates { list-style: none; padding: 0 }
.slots { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr)); gap: .5rem; padding: 0; margin: 0; list-style: none }
.slots li { margin: 0 }
.slots button { width: 100%; padding: 8px 4px; border-color: var(--accent) }
.slots small { display: block; font-weight: 400 }
button:focus-visible, a:focus-visible, input:focus-visible, textarea:focus-visible, select:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
a { color: var(--accent) }
:is([href^="tel:"], [href^="mailto:"]) { display: inline-block }
.code { overflow: auto; padding: 1rem; border: 1px solid var(--line); border-radius: var(--small); background: var(--card); font: var(--font-small)/1.5 ui-monospace, monospace }
ol.code { min-height: 6rem; padding-inline-start: 3rem }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px }
.row > a { min-height: 44px; align-content: center }
form + .row { margin-top: 24px }
@media (max-width: 37.99rem) { .row > :is(button, .button):not(.link) { flex: auto } }
${confirmationStyle.replaceAll(/\s+/g, ' ')}
@media print { :root { color-scheme: light } body { background: none } main { margin: 0; padding: 0; border: 0; max-width: none } form, details, .button, button { display: none } footer { margin: 1rem 0; padding: 0; max-width: none } }
`

/**
 * The placeholder has the widget's size and draws the facts as the widget does, so that nothing moves when
 * the widget loads. Without JavaScript it takes the space it needs.
 */
export const widgetStyle = `
.wide main { max-width: 66rem; margin: 2rem auto 0; padding: 0 1rem; background: none; border: 0 }
.wide footer { max-width: 66rem; padding: 0 16px }
holdfast-booking { display: block; --holdfast-accent: var(--accent); --holdfast-fill: var(--fill); --holdfast-on-fill: var(--on-fill) }
holdfast-booking::part(logo), holdfast-booking::part(provider), holdfast-booking::part(about), .business:has(.address) ~ holdfast-booking::part(where) { display: none }
.business { margin-bottom: 16px }
.business[data-initial] { display: grid; grid-template-columns: 40px minmax(0, 1fr); column-gap: 12px; align-items: center }
.business[data-initial]::before { grid-row: 1 / span 2; font-weight: 700; font-size: var(--font-head) }
.business :is(h1, p) { margin: 0 }
.reach { display: flex; gap: 4px 16px; font-size: var(--font-small); line-height: 20px }
.reach a { padding-block: 2px; white-space: nowrap }
.reach .address { overflow: hidden; text-overflow: ellipsis }
.stand-in { padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius) }
.stand-in h2 { margin: 0; font-size: var(--font-head); line-height: 1.25 }
.stand-in.done h2 { margin: 0 0 16px; font-size: var(--font-title); line-height: 1.25 }
.stand-in h3 { line-height: 1.25; margin: 1rem 0 0; padding-bottom: 3px }
.stand-in h3:first-child { margin-top: 0 }
.stand-in .title { margin-block: 16px 4px; font-size: var(--font-head); line-height: 1.25 }
.stand-in > form:not(:has(.slots)), .stand-in .pair { max-width: 34rem }
.stand-in h4 { font-size: var(--font-small); line-height: 1.25; color: var(--soft); margin: 8px 0 4px }
@media (scripting: enabled) { holdfast-booking .stand-in { font-variant-numeric: tabular-nums } }
.stand-in .slots { grid-template-columns: repeat(auto-fill, minmax(6.2rem, 1fr)) }
.stand-in .slots button { padding: 8px 4px }
.stand-in .slots small { font-size: var(--font-small) }
.choices { display: grid; gap: .75em; margin: 0; padding: 0; list-style: none }
.choices li { position: relative; display: grid; grid-template-columns: 1fr auto .5em; align-items: center; gap: 4px 12px; margin: 0; padding: 16px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); box-shadow: 0 1px 2px var(--shadow) }
.choices li::after { content: ""; grid-area: 1 / 3; width: .5em; height: .5em; border: solid; border-width: 2px 2px 0 0; transform: rotate(45deg) }
.choices strong { font-weight: inherit }
.choices li:hover { background: color-mix(in srgb, var(--accent) 4%, var(--card)) }
.choices li > :is(a, button) { padding: 0; color: var(--ink); text-decoration: none; font-weight: 600 }
.choices li > :is(a, button)::after { content: ""; position: absolute; inset: 0; border-radius: var(--radius) }
.price, .line { grid-column: 1 / 3 }
.price { font-weight: 600 }
.about, .choices .line { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden }
.picture { width: 56px; height: 56px; border-radius: var(--small); background: var(--tint); object-fit: cover }
.picture::before { content: attr(data-initial); content: attr(data-initial) / ""; display: block; line-height: 56px; background: var(--fill); color: var(--on-fill); font-weight: 700; text-align: center }
.choices li:has(.picture) { min-height: 88px; padding-inline-start: 88px }
.choices .picture { position: absolute; inset-block-start: 16px; inset-inline-start: 16px }
.head { display: flex; flex-direction: column; gap: 4px; margin-bottom: 1rem; padding-bottom: 1rem; border-bottom: 1px solid var(--line) }
.head p, .head dl, .head dd { margin: 0 }
.head .product { font-weight: 600 }
.any .product { font-size: var(--font-head) }
.head dl:empty { display: none }
.stand-in:has(.choices) h3 { margin-bottom: 1rem; padding: 0; font-size: var(--font-head); line-height: 1.25 }
.stand-in:has(.choices) .any { margin: 0; padding: 0; border: 0 }
.any ~ h3 { margin: 0 }
.head dl { display: flex; flex-wrap: wrap; gap: 8px 24px; margin-block: 4px }
.head dt { font-size: var(--font-small); color: var(--soft) }
.stand-in ul:not(.choices) > li > a { display: inline-block; padding-block: 8px }
.head details { margin: 0 }
.head summary { min-height: 44px; align-content: center }
.room { display: none }
@media (max-width: 35.99rem) { .head { display: block; margin-bottom: .5rem; padding: 0; border: 0 } .head h2, .head .product { display: inline; font-size: var(--font-head) } .head .product { font-weight: 400 } .head :not(.unseen) + .product::before { content: " · " } .any .product { font-weight: 600 } .head dl { gap: 0 1rem; margin: 0; color: var(--soft) } .head dt { position: absolute; clip-path: inset(50%) } .head .hint { margin-top: 4px } .head .picture { float: inline-end; margin-inline-start: 12px } .head:has(.product) details { display: none } }
@media (scripting: enabled) and (max-width: 35.99rem) { holdfast-booking .head dl { flex-wrap: nowrap } holdfast-booking .head dl div { overflow: hidden; white-space: nowrap; text-overflow: ellipsis } holdfast-booking .head dl div:first-child { flex: none; max-width: 100% } holdfast-booking .head dl div:nth-child(n + 3) { display: none } }
@media (scripting: enabled) { holdfast-booking .stand-in { min-height: 52rem } holdfast-booking .head { margin: 0 } .room { display: block; height: 138.95px } .room.back { height: 182.95px } .room.choice { height: 208.15px } }
@media (scripting: enabled) and (min-width: 36rem) { holdfast-booking .stand-in { display: grid; align-content: start; grid-template-columns: minmax(0, 1.35fr) minmax(11rem, 1fr); column-gap: 2rem; height: 45rem; min-height: 0; padding: 1.5rem; overflow: hidden } holdfast-booking .head { grid-column: 1 / -1 } holdfast-booking .stand-in > :not(.head) { grid-column: 2; padding-inline: 4px } .room { height: 56.27px } .room.back, .room.choice { height: 76px } }
@media (scripting: enabled) and (min-width: 58rem) { holdfast-booking .stand-in { height: 38rem; grid-template: auto 1fr / 15rem minmax(0, 1.35fr) minmax(11rem, 1fr) } holdfast-booking .head { grid-column: 1; grid-row: 1 / span 9; padding-right: 1.5rem; border: solid var(--line); border-width: 0 1px 0 0 } holdfast-booking .head dl { display: grid } holdfast-booking .stand-in > :not(.head) { grid-column: 3 } .room { height: 40.27px } .room.back, .room.choice { height: 60px } }
@media (scripting: enabled) { holdfast-booking .search { height: 44px; margin-bottom: 1rem } holdfast-booking:has(.choices) { --holdfast-first: 0 } holdfast-booking .stand-in:has(.choices) { display: block; height: auto; min-height: 0 } .stand-in:has(.choices) > :not(.head) { padding-inline: 0 } }
@media (scripting: enabled) and (max-width: 35.99rem) { .head:not(.any) ~ h3 { margin-top: 8px } }
@media (scripting: enabled) and (min-width: 58rem) { holdfast-booking .stand-in:has(.choices) .head:not(.any) { padding: 0 0 1rem; border-width: 0 0 1px } holdfast-booking .stand-in:has(.choices) dl:not(:empty) { display: flex } }
.waiting { margin: 1rem 0 }
@media (max-width: 37.99rem) { .wide footer { padding: 0 1rem } .wide main { margin-top: 1rem; padding: 0 } .wide h1 { margin-bottom: 12px; font-size: var(--font-head) } .business { margin-bottom: 4px } .business h1 { margin: 0; line-height: 22px } .wide main > :not(.stand-in, holdfast-booking) { margin-inline: 1rem } .stand-in, holdfast-booking::part(frame) { border-radius: 0; border-inline: 0 } }
`
