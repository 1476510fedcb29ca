import { chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { UsageError } from '../../../base/usage-error.ts'
import { adminReset } from './admin-reset.ts'

const anotherUser = 65_534
const terminal = { stdout: process.stdout, stderr: process.stderr, env: {} }

it.each([undefined, 'etcd:http://127.0.0.1:1'])(
  'a reset by a user other than that of the platform is refused before any write, with the store %s',
  async (store) => {
    const directory = mkdtempSync(join(tmpdir(), 'tenant-reset-'))
    const made = join(directory, 'pki', 'platform')
    mkdirSync(join(directory, 'pki'))
    if (process.getuid?.() === 0) {
      mkdirSync(made)
      chownSync(made, anotherUser, anotherUser)
    } else symlinkSync('/', made)
    const reset = adminReset({ dataDir: directory, ...(store === undefined ? {} : { store }) }, terminal)
    await expect(reset).rejects.toThrow(UsageError)
    rmSync(directory, { recursive: true })
  },
)
