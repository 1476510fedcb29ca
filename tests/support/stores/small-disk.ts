import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, truncateSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDiskFull } from '../../../src/base/files/disk-full.ts'

const pageBytes = 4096

/** A separate file system that is soon full. */
export interface SmallDisk {
  readonly directory: string
  /** Takes all free space, except this many pages. */
  fill(freePages?: number): void
  /** Frees the space again. */
  free(): void
  remove(): Promise<void>
}

/** Why no file system can be mounted here; `undefined` if one can. */
export async function missingMounts(): Promise<string | undefined> {
  try {
    const disk = await mountSmallDisk(1)
    await disk.remove()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', directory])
  if (mounted.status !== 0) {
    await rm(directory, { recursive: true })
    throw new Error(`a file system cannot be mounted here: ${mounted.error?.message ?? mounted.stderr}`)
  }
  const ballast = join(directory, 'ballast')
  return {
    directory,
    fill: (freePages = 0) => fill(ballast, freePages),
    free: () => {
      // Deletion alone would not free the space while a starting process has inherited the open file.
      truncateSync(ballast)
      rmSync(ballast)
    },
    remove: async () => {
      // Lazily: a process that was just killed may still have files open.
      spawnSync('umount', ['-l', directory])
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function fill(file: string, freePages: number): void {
  const descriptor = openSync(file, 'a')
  const page = Buffer.alloc(pageBytes, 'x')
  try {
    while (statfsSync(file).bavail > freePages) writeSync(descriptor, page)
  } catch (error) {
    if (!isDiskFull(error)) throw error
  } finally {
    closeSync(descriptor)
  }
}
