// A template that escapes: whatever is put into it is text, unless it is Html already. There is no other way in.

export type Html = { readonly html: string }
type Value = Html | string | number | null | false | readonly Value[]

export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { html: parts.reduce((sum, part, index) => sum + htmlOf(values[index - 1] ?? null) + part) }
}

function htmlOf(value: Value): string {
  if (value === null || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'html' in value ? value.html : value.map(htmlOf).join('')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, char => entities[char] ?? '')
}

/** Text with its line breaks. */
export function lines(text: string): Html {
  return { html: escapeHtml(text).replaceAll('\n', '<br>') }
}
