import { sealMark } from './document.ts'
import { objectsRoot, storagePrefix } from './storage-key.ts'

const secrets = storagePrefix({ group: '', plural: 'secrets' })

/** Secrets, and objects with a sealed part that never leaves the server. */
export function isConfidentialObject(storageKey: string, value: Uint8Array): boolean {
  return storageKey.startsWith(secrets) || (storageKey.startsWith(objectsRoot) && value.includes(sealMark))
}
