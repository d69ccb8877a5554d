// The console lists them, and may import nothing else of the server.
export { languages } from '../../languages.ts'
