import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { LayerEntry } from '../contract.ts'

/** All files and links below a folder, at the place where the image has them. Who may write to them here does not matter. */
export function readFolder(folder: string, place: string): readonly LayerEntry[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((found): readonly LayerEntry[] => {
    const file = join(folder, found.name)
    const path = `${place}/${found.name}`
    if (found.isDirectory()) return readFolder(file, path)
    if (found.isSymbolicLink()) return [{ type: 'symlink', path, target: readlinkSync(file) }]
    const mode = (lstatSync(file).mode & 0o100) === 0 ? 0o644 : 0o755
    return [{ type: 'file', path, mode, content: readFileSync(file) }]
  })
}
