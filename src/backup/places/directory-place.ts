import { constants } from 'node:fs'
import { type FileHandle, link, lstat, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorText } from '../../base/error-text.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isMissingFile } from '../../base/files/missing-file.ts'
import { BackupRefused } from '../backup-refused.ts'
import { alreadyThere, type BackupPlace, isPlainName, type PlacedFile, requireBackupName } from './contract.ts'

const chunkBytes = 256 * 1024

/** A directory, created if it does not exist, only for its owner. Links and folders in it are ignored. */
export function directoryPlace(directory: string): BackupPlace {
  const fileOf = (name: string) => {
    requireBackupName(name)
    return join(directory, name)
  }
  return {
    address: directory,
    list: () => filesIn(directory),
    read: (name) => chunksOf(fileOf(name)),
    readStart: async (name, bytes) => withFile(fileOf(name), readFlags, (file) => readUpTo(file, bytes)),
    write: async (name, bytes) => {
      requireDirectory(directory)
      await writeNew(fileOf(name), bytes)
      await syncDirectory(directory)
    },
    rename: async (from, to) => {
      // Unlike a rename, a link never replaces another file.
      await link(fileOf(from), fileOf(to)).catch((error: unknown) => {
        throw isTaken(error) ? alreadyThere(to) : error
      })
      await rm(fileOf(from))
      await syncDirectory(directory)
    },
    remove: (name) => rm(fileOf(name), { force: true }),
    close: () => {},
  }
}

function requireDirectory(directory: string): void {
  try {
    makeDirectory(directory)
  } catch (error) {
    throw new BackupRefused(`the directory ${directory} cannot be made: ${errorText(error)}`)
  }
}

/** Does not block if it is not a regular file. */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const writeFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

async function filesIn(directory: string): Promise<readonly PlacedFile[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (isMissingFile(error)) return []
    throw error
  })
  const files: PlacedFile[] = []
  for (const name of names.filter(isPlainName)) {
    const found = await lstat(join(directory, name)).catch(() => undefined)
    if (found?.isFile()) files.push({ name, bytes: found.size })
  }
  return files
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, readFlags).catch((error: unknown) => {
    if (hasCode(error, 'ELOOP')) throw noFile(path)
    throw isMissingFile(error) ? new BackupRefused(`there is no ${path}: see tenant backup list`) : error
  })
  try {
    if (!(await file.stat()).isFile()) throw noFile(path)
    for (;;) {
      const chunk = await readUpTo(file, chunkBytes)
      if (chunk.length === 0) return
      yield chunk
    }
  } finally {
    await file.close()
  }
}

async function readUpTo(file: FileHandle, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length)
  return buffer.subarray(0, bytesRead)
}

/** Removes a file that could not be written completely. */
async function writeNew(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  await withFile(path, writeFlags, async (file) => {
    try {
      for await (const chunk of bytes) await file.writeFile(chunk)
      await file.sync()
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }).catch((error: unknown) => {
    throw isTaken(error) ? alreadyThere(path) : error
  })
}

async function withFile<T>(path: string, flags: number, act: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, 0o600)
  try {
    return await act(file)
  } finally {
    await file.close()
  }
}

/** So that a name survives a power cut, too. */
async function syncDirectory(directory: string): Promise<void> {
  await withFile(directory, constants.O_RDONLY, (handle) => handle.sync())
}

function noFile(path: string): BackupRefused {
  return new BackupRefused(`${path} is not a file, and is not read`)
}

function isTaken(error: unknown): boolean {
  return hasCode(error, 'EEXIST')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
