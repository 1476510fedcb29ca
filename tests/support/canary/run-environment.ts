import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { WatchSettings } from './start-watching.ts'

const memoryDirectory = '/dev/shm'
const neededBytes = 2 * 1024 ** 3

export interface RunEnvironment extends WatchSettings {
  readonly TMPDIR: string
  /** Holds all that a run writes. */
  readonly TENANT_CANARY_HOME: string
  /** For programs in Go. They live for minutes: letting garbage grow to four times what is in use saves a quarter of their processor time. */
  readonly GOGC: string
  /** Nothing. Node reads the authorities of the machine at each start where it names them, and suites trust their own alone. */
  readonly NODE_EXTRA_CA_CERTS: string
}

/** The variables that all suites of a run see: temporary files of their own, and where to leave what they find. */
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
