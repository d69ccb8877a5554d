/**
 * The pattern as RE2, Go, Java and Python understand it: without look-ahead, which the description states in
 * words, and without Unicode escapes. Null if it cannot be expressed.
 */
export function portablePattern(pattern: string): string | null {
  const plain = pattern
    .replaceAll(/\(\?[=!][^()]*\)/g, '')
    .replaceAll(/\\u00([0-9a-f]{2})/gi, '\\x$1')
    .replaceAll('\\/', '/')
    // Some generators write patterns into string literals as they are.
    .replaceAll('"', '\\x22')
    .replaceAll("'", '\\x27')
  return foreign.test(plain) ? null : plain
}

/** Groups other than `(?:`, classes `[]` and `[^]`, `\\p`, `\\u`, and references back. */
const foreign = /\(\?(?!:)|\[\^?\]|\\[pPuk1-9]/
