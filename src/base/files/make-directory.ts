import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isMissingFile } from './missing-file.ts'

/**
 * Creates a directory that only this user can read, and its parents, unless it exists. The `recursive` option of Node
 * 20 never returns where an existing directory accepts no children, such as /proc.
 */
export function makeDirectory(directory: string): void {
  const above = dirname(directory)
  if (madeOrThere(directory) || above === directory) return
  makeDirectory(above)
  make(directory)
}

/** False: the parent does not exist, or accepts no children. */
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
