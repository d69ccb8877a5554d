/** HTML made from a template: everything put in is escaped, unless it is HTML already. */
export class Html {
  text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | Html[] | null | undefined | false

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((string, index) => string + asText(parts[index])).join(''))
}

function asText(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(one => one.text).join('')
  return escapeHtml(String(part))
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
