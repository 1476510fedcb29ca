import fs from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keyValuesIn, longestSighting } from './key-values.ts'
import { before } from './patch-method.ts'
import type { FilePlace } from './place.ts'
import { contentAt } from './stored-content.ts'
import type { Watcher } from './watcher.ts'

/** Searches all files below a directory at the moment of their deletion. */
export function watchFiles(watcher: Watcher, directory: string): void {
  const look = (_: object, [target]: readonly unknown[]) =>
    watcher.safely(() => {
      const path = pathOf(target)
      if (path.startsWith(`${directory}/`)) lookAtFiles(watcher, directory, path)
    })
  before(fs, 'rm', look)
  before(fs, 'rmSync', look)
  before(fs.promises, 'rm', look)
}

function pathOf(target: unknown): string {
  if (target instanceof URL) return fileURLToPath(target)
  return typeof target === 'string' ? resolve(target) : ''
}

/** Searches a file, or all files in a directory. */
export function lookAtFiles(watcher: Watcher, directory: string, path: string): void {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) for (const name of namesIn(path)) lookAtFiles(watcher, directory, join(path, name))
  if (!stats?.isFile()) return
  const file = openOf(path)
  if (file === undefined) return
  try {
    lookAtFile(watcher, { at: 'file', path: relative(directory, path), isPrivate: isPrivate(directory, path) }, file)
  } finally {
    fs.closeSync(file)
  }
}

/** By its own mode or by that of a parent directory. Tests create the topmost one, always private. */
function isPrivate(directory: string, path: string): boolean {
  const segments = relative(directory, path).split('/')
  return segments.some((_, index) => {
    const stats = fs.lstatSync(join(directory, ...segments.slice(0, index + 1)), { throwIfNoEntry: false })
    return index > 0 && stats !== undefined && (stats.mode & 0o077) === 0
  })
}

const piece = Buffer.allocUnsafeSlow(1024 * 1024)
const emptyPiece = Buffer.alloc(piece.length)

/** Databases allocate much more room than they use. */
function isEmpty(length: number): boolean {
  return length === piece.length && piece.equals(emptyPiece)
}

/** Pieces overlap, because a value may span two of them. */
function lookAtFile(watcher: Watcher, place: FilePlace, file: number): void {
  let judged = -1
  for (let start = 0; ; start += piece.length - longestSighting) {
    const length = fs.readSync(file, piece, 0, piece.length, start)
    watcher.count(place, length)
    for (const sighting of isEmpty(length) ? [] : keyValuesIn(piece.subarray(0, length))) {
      const at = start + sighting.at
      if (at <= judged) continue
      const content = contentAt(file, at)
      watcher.judge(content === undefined ? place : { ...place, content }, sighting)
    }
    judged = start + length - longestSighting
    if (length < piece.length) return
  }
}

/** Others may be deleting the same files. */
function openOf(path: string): number | undefined {
  try {
    return fs.openSync(path, 'r')
  } catch {
    return undefined
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory)
  } catch {
    return []
  }
}
