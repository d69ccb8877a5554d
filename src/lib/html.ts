/** HTML from a template. Every interpolated value is escaped unless it is Html already. */
export class Html {
  text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Part[] | null | undefined | false

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  // A booking page has hundreds of these: joining arrays would cost several times as much.
  let text = strings[0]!
  for (let index = 0; index < parts.length; index++) text += asText(parts[index]) + strings[index + 1]!
  return new Html(text)
}

function asText(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(asText).join('')
  return escapeHtml(String(part))
}

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, character => named[character] ?? `&#${character.charCodeAt(0)};`)
}

/** An element, for markup that the widget draws too. */
export function element(tag: string, attributes: Record<string, unknown> | null, ...children: Part[]): Html {
  let text = `<${tag}`
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (value === true) text += ` ${name}`
    else if (value !== false && value != null) text += ` ${name}="${escapeHtml(String(value))}"`
  return new Html(tag === 'br' ? '<br>' : `${text}>${asText(children)}</${tag}>`)
}

/** Text with its line breaks as `<br>`. */
export function lines(text: string): Html {
  return new Html(escapeHtml(text).replaceAll('\n', '<br>'))
}
