declare module 'pg/lib/utils.js' {
  /** A value as it is sent: a text, bytes or nothing. */
  export const prepareValue: (value: unknown) => string | Buffer | null
}
