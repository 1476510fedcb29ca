import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  generateSigningKeyPem,
  readSigningKey,
  readVerifyingKey,
  type SigningKey,
  type VerifyingKey,
} from '../../base/keypair.ts'
import type { Random } from '../../base/random.ts'

/** The key that signs service account tokens: made once, kept in the data directory. */
export async function serviceAccountKeys(
  directory: string,
): Promise<{ readonly signing: SigningKey; readonly verifying: readonly VerifyingKey[] }> {
  const pem = await keptSecret(join(directory, 'service-account.key'), generateSigningKeyPem)
  return { signing: readSigningKey(pem.value), verifying: [readVerifyingKey(pem.value)] }
}

const tokenBytes = 32

/** The administrator's token: made at the first start, then read back. */
export function adminToken(
  directory: string,
  random: Random,
): Promise<{ readonly value: string; readonly file: string; readonly isNew: boolean }> {
  return keptSecret(join(directory, 'admin.key'), () =>
    Promise.resolve(Buffer.from(random.bytes(tokenBytes)).toString('base64url')),
  )
}

async function keptSecret(
  file: string,
  make: () => Promise<string>,
): Promise<{ readonly value: string; readonly file: string; readonly isNew: boolean }> {
  if (existsSync(file)) return { value: readFileSync(file, 'utf8').trim(), file, isNew: false }
  const value = await make()
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${value}\n`, { mode: 0o600, flag: 'wx' })
  return { value, file, isNew: true }
}
