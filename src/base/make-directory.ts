import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isMissingFile } from './missing-file.ts'

/**
 * Makes a directory that only this user reads, with those above it, unless it is there. The `recursive` of Node 20 never ends where
 * a directory that is there takes none, such as /proc.
 */
export function makeDirectory(directory: string): void {
  const above = dirname(directory)
  if (madeOrThere(directory) || above === directory) return
  makeDirectory(above)
  make(directory)
}

/** False: the one above is not there, or takes none. */
function madeOrThere(directory: string): boolean {
  try {
    make(directory)
    return true
  } catch (error) {
    if (!isMissingFile(error)) throw error
    return false
  }
}

function make(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    if (isMissingFile(error) || !isDirectory(directory)) throw error
  }
}

function isDirectory(directory: string): boolean {
  return statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true
}
