/** A value for a jsonb parameter; the driver would send a plain text or an array as something else. */
export const json = (value: unknown): string | null => (value == null ? null : JSON.stringify(value))
