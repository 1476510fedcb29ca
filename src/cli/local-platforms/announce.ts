import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { writeWhole } from '../../base/files/write-whole.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { placeFile } from './places.ts'

/** Lets other commands of the user find this `tenant up`. The returned function reverts that. */
export function announce(dataDirectory: string, terminal: Pick<Terminal, 'env'>): () => void {
  const file = placeFile(dataDirectory, terminal)
  makeDirectory(dirname(file))
  writeWhole(file, `${dataDirectory}\n`)
  return () => rmSync(file, { force: true })
}
