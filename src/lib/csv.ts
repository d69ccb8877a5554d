/** A cell that spreadsheets show as text: a leading =, +, - or @ would start a formula. */
export function csvCell(text: string): string {
  const guarded = /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${guarded.replaceAll('"', '""')}"`
}

/** A whole file. The mark at its start makes spreadsheets read it as UTF-8. */
export const csvText = (rows: string[][]): string =>
  `\ufeff${rows.map(row => row.map(csvCell).join(',')).join('\r\n')}\r\n`
