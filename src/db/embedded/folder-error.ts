import { StartError } from '../../lib/start-error.ts'

/** Runs `work` and turns file system errors into messages that say what to do. */
export function explainFolder<T>(folder: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw folderError(folder, error)
  }
}

function folderError(folder: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return unwritable(folder)
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(folder)
  if (code === 'ENOENT')
    return new StartError(`The folder ${folder} cannot be made there: choose another folder with DATA_DIR.`)
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new StartError(
      `${folder} is not a folder: move that file away, or choose another folder with DATA_DIR.`,
    )
  return error
}

export function diskFull(folder: string): StartError {
  return new StartError(`The disk that holds ${folder} is full: free some space and start again.`)
}

function unwritable(folder: string): StartError {
  return new StartError(
    `The folder ${folder} cannot be written: give this user write access to it, or choose another folder with DATA_DIR.`,
  )
}
