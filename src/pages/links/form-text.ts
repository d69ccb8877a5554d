const maximumLength = 1024

/** Form input as PostgreSQL can store it; null if it is empty. */
export function typedText(value: unknown): string | null {
  const text = String(value ?? '')
    .replaceAll('\0', '')
    .toWellFormed()
    .trim()
  return [...text].slice(0, maximumLength).join('') || null
}
