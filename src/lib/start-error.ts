/** The service cannot start. The message is one sentence that tells the operator what to do. */
export class StartError extends Error {}

const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** Turns a failed write into one sentence for the operator; errors of other kinds pass unchanged. */
export function explainWrite(error: unknown, file: string): unknown {
  const { code = '', syscall = '', message } = error as NodeJS.ErrnoException
  if (!['write', 'fsync', 'close'].includes(syscall)) return error
  const cause = fullCodes.includes(code)
    ? 'the disk is full. Free some space or choose another disk, then run it again'
    : message
  return new StartError(`Cannot write ${file === '-' ? 'to the output' : file}: ${cause}.`)
}
