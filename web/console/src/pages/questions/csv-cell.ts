/** A cell that spreadsheets show as text: a leading =, +, - or @ would start a formula. */
export function csvCell(text: string): string {
  const guarded = /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${guarded.replaceAll('"', '""')}"`
}
