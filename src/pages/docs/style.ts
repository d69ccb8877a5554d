/** The look of /docs, on top of the style of all pages. */
export const docsStyle = `
body.wide { padding: 0 }
body.wide main { max-width: none; margin: 0; padding: 0 }
body.wide main > .docs.docs { margin-inline: 0 }
.docs { display: grid; grid-template-columns: 17rem minmax(0, 1fr); min-height: 100vh }
.docs nav { padding: 24px; border-inline-end: 1px solid var(--line); background: var(--card); font-size: var(--font-text); position: sticky; top: 0; height: 100vh; overflow: auto }
.docs nav strong { display: block; margin: 24px 0 4px; font-size: var(--font-small); color: var(--soft) }
.docs nav .home { display: flex; align-items: center; min-height: 44px; font-size: var(--font-head); font-weight: 700; color: var(--ink); text-decoration: none }
.docs nav ul { list-style: none; margin: 0; padding: 0 }
.docs nav li { margin: 0 }
.docs nav li a { display: block; padding: 8px 12px; margin-inline: -12px; border-radius: var(--small); color: var(--ink); text-decoration: none }
.docs nav li a:hover { background: color-mix(in srgb, var(--accent) 6%, var(--card)) }
.docs nav a[aria-current] { background: color-mix(in srgb, var(--accent) 12%, var(--card)); color: var(--accent); font-weight: 600 }
.docs nav details { margin: 0 }
@media (min-width: 52.01rem) { @supports selector(::details-content) { .docs nav summary { display: none } .docs nav details::details-content { content-visibility: visible; display: block } } }
.docs form { margin: 8px 0 0 }
.docs input { font-size: var(--font-body) }
.docs article { max-width: 60rem; padding: 48px; margin-inline: auto; width: 100% }
.docs article > :first-child { margin-top: 0 }
.docs h1 { font-size: var(--font-title); font-weight: 700 }
.docs h2 { font-size: var(--font-head); line-height: 1.25; margin: 48px 0 12px; padding-top: 16px; border-top: 1px solid var(--line) }
.docs h3 { font-size: var(--font-body); margin: 32px 0 8px }
.docs :is(h1, h2, h3) { scroll-margin-top: 16px }
.docs code { font: var(--font-small)/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; padding: 1px 4px; border-radius: var(--small); background: color-mix(in srgb, var(--ink) 7%, transparent) }
.docs pre { overflow: auto; white-space: pre; margin: 0 0 16px; padding: 16px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--card) }
.docs pre code { padding: 0; background: none; font-size: var(--font-small); overflow-wrap: normal }
.docs .scroll { overflow: auto; margin: 0 0 16px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--card) }
.docs table { border-collapse: collapse; width: 100%; font-size: var(--font-text); overflow-wrap: normal }
.docs :is(th, td) { padding: 8px 12px; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line) }
.docs tr:last-child td { border-bottom: 0 }
.docs th { font-weight: 600; white-space: nowrap }
.docs td > code:only-child { white-space: nowrap }
.docs article > :is(p, ul, ol) { max-width: 46rem }
.docs article > .cards { max-width: none }
.docs li { margin-bottom: 8px }
.docs .tools { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0 0 24px; font-size: var(--font-text) }
.docs .toc { margin: 0 0 32px; padding: 16px 24px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); font-size: var(--font-text) }
.docs .toc ul { columns: 2 16rem; margin: 8px 0 0; padding: 0; list-style: none }
.docs .toc li { margin: 0; padding: 3px 0; break-inside: avoid }
.docs .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 12px; margin: 0; padding: 0; list-style: none }
.docs .cards li { margin: 0 }
.docs .cards a { display: block; height: 100%; padding: 16px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); color: var(--soft); text-decoration: none; box-shadow: 0 1px 2px var(--shadow); font-size: var(--font-text) }
.docs .cards a:hover { border-color: var(--accent) }
.docs .cards b { display: block; color: var(--ink); font-weight: 600; font-size: var(--font-body) }
.docs .found { list-style: none; padding: 0 }
.docs .found li { margin: 0 0 24px }
.docs .found p { margin: 4px 0 0; color: var(--soft); font-size: var(--font-text) }
.docs :is(pre, .scroll):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
@media (max-width: 52rem) {
  .docs { display: block }
  .docs nav { position: static; height: auto; padding: 12px 16px; border: 0; border-bottom: 1px solid var(--line) }
  .docs nav summary { min-height: 44px; align-content: center; font-weight: 600 }
  .docs nav li a { padding-block: 12px }
  .docs article { padding: 24px 16px 48px }
}
@media print { .docs nav, .docs .tools, .docs .toc { display: none } }
`
