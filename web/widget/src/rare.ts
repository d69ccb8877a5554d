// Loaded by few visitors. In one file, because each file costs the main one its name.

export { withoutEmails } from './no-email.ts'
export { addSearch } from './search.ts'
