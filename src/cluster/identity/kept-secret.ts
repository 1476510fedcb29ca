import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mintKey } from '../../auth/keys/values/key-value.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import type { Random } from '../../base/random.ts'

/** A secret in a file that only its owner can read. */
export interface KeptSecret {
  readonly value: string
  readonly file: string
  /** Whether it was just created. */
  readonly isNew: boolean
}

export const adminUser = { name: 'admin', uid: 'admin', groups: ['system:masters'] } as const

const tokenBytes = 32

/** The administrator's token: created at the first start, then read. */
export function adminToken(directory: string, random: Random): Promise<KeptSecret> {
  return keptSecret(adminKeyFile(directory), async () => newAdminToken(random))
}

/** The same for a platform, whose administrator has an access key. */
export function adminKey(directory: string, random: Random): Promise<KeptSecret> {
  return keptSecret(adminKeyFile(directory), async () => mintKey(random).value)
}

export function adminKeyFile(directory: string): string {
  return join(directory, 'admin.key')
}

function newAdminToken(random: Random): string {
  return Buffer.from(random.bytes(tokenBytes)).toString('base64url')
}

/** A secret that is created once and then read, in a file that only its owner can read. */
export async function keptSecret(file: string, make: () => Promise<string>): Promise<KeptSecret> {
  const isNew = !existsSync(file) && keep(file, await make())
  return { value: readFileSync(file, 'utf8').trim(), file, isNew }
}

/** Undefined: the file does not exist. */
export function foundSecret(file: string): KeptSecret | undefined {
  return existsSync(file) ? { value: readFileSync(file, 'utf8').trim(), file, isNew: false } : undefined
}

/** Written completely or not at all, and the first one stays: a process that starts at the same time uses it, too. */
function keep(file: string, value: string): boolean {
  const directory = dirname(file)
  makeDirectory(directory)
  const draft = join(mkdtempSync(join(directory, 'draft-')), 'secret.key')
  writeFileSync(draft, `${value}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(dirname(draft), { recursive: true, force: true })
  }
}
