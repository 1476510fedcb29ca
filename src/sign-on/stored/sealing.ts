import { CompactEncrypt, compactDecrypt } from 'jose'
import type { Random } from '../../base/random.ts'
import type { Store } from '../../storage/contract.ts'
import { signOnRoot } from './store-root.ts'

const place = `${signOnRoot}sealing-key`
const length = 32

export const sealingMethod = { alg: 'dir', enc: 'A256GCM' } as const

/** The key of all replicas: the first one stays. */
export async function sealingKey(store: Store, random: Random): Promise<Uint8Array> {
  const known = await store.get(place)
  if (known !== undefined) return new Uint8Array(known.value)
  const made = random.bytes(length)
  const result = await store.create(place, made)
  if (result.outcome === 'written') return made
  return result.current === undefined ? sealingKey(store, random) : new Uint8Array(result.current.value)
}

export function sealText(text: string, key: Uint8Array): Promise<string> {
  return new CompactEncrypt(Buffer.from(text)).setProtectedHeader(sealingMethod).encrypt(key)
}

/** Undefined: it was sealed with another key, or was changed. */
export async function openText(sealed: string, key: Uint8Array): Promise<string | undefined> {
  try {
    const { plaintext } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: [sealingMethod.alg],
      contentEncryptionAlgorithms: [sealingMethod.enc],
    })
    return Buffer.from(plaintext).toString()
  } catch {
    return undefined
  }
}
