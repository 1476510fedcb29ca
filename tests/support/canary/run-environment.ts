import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { WatchSettings } from './start-watching.ts'

const memoryDirectory = '/dev/shm'
const neededBytes = 2 * 1024 ** 3

export interface RunEnvironment extends WatchSettings {
  readonly TMPDIR: string
  /** Contains everything that a run writes. */
  readonly TENANT_CANARY_HOME: string
  /**
   * For programs in Go. They live for minutes: letting the heap grow to four times the live data saves a quarter of
   * their processor time.
   */
  readonly GOGC: string
  /** Empty. Otherwise Node would read the authorities of the machine at each start, and suites trust only their own. */
  readonly NODE_EXTRA_CA_CERTS: string
}

/** The variables of all suites of a run: separate temporary files, and the folder for findings. */
export function runEnvironment(): RunEnvironment & Record<string, string> {
  const home = join(inMemory() ? memoryDirectory : tmpdir(), `tenant-tests-${process.pid}`)
  const files = join(home, 'files')
  return {
    TMPDIR: files,
    TENANT_CANARY_HOME: home,
    GOGC: '400',
    NODE_EXTRA_CA_CERTS: '',
    TENANT_CANARY_FILES: files,
    TENANT_CANARY_FOLDER: join(home, 'canary'),
    TENANT_CANARY_PRELOAD: pathToFileURL(join(home, 'preload', 'preload.mjs')).href,
  }
}

/** Stores in memory: the tests kill processes, not machines, and many at once would wait for one disk. */
function inMemory(): boolean {
  try {
    accessSync(memoryDirectory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memoryDirectory)
    return bavail * bsize > neededBytes
  } catch {
    return false
  }
}
