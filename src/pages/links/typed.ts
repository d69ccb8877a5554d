const maximumLength = 1024

/** What somebody typed into a form, as PostgreSQL can keep it; null when it says nothing. */
export function typedText(value: unknown): string | null {
  const text = String(value ?? '')
    .replaceAll('\0', '')
    .toWellFormed()
    .trim()
  return [...text].slice(0, maximumLength).join('') || null
}
