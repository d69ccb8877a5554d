import { accent, white } from '../../web/shared/tokens.ts'
/** A marked day in a calendar. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${accent[0]}"/><path d="M8 12h16M11 7v5M21 7v5" stroke="${white}" stroke-width="2.4" stroke-linecap="round"/><path d="m10.5 19 4 4 7.5-8" fill="none" stroke="${white}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** Inlined into pages to save a request. */
export const iconLink = `data:image/svg+xml,${encodeURIComponent(icon)}`
