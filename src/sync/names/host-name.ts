import { hash } from 'node:crypto'

/** An object of a tenant that gets a name of its own in a namespace that many share. */
export interface TenantObject {
  readonly hostNamespace: string
  readonly tenant: string
  /** Empty for what has none. */
  readonly namespace: string
  readonly name: string
}

const maxReadable = 47
const hashLength = 13
const hashBytes = 16
const hashValues = 36n ** BigInt(hashLength)

/**
 * The name on the host: `v-`, what can be read of the name, and a hash of all four parts. A DNS label of at most 63
 * characters that starts with a letter. Two objects share one only if 67 bits of SHA-256 do.
 */
export function hostName({ hostNamespace, tenant, namespace, name }: TenantObject): string {
  // As a JSON list the parts cannot run into each other.
  const identity = JSON.stringify([hostNamespace, tenant, namespace, name])
  return markedName(name, identity)
}

/** The same for anything else that is told apart by an identity. */
export function markedName(name: string, identity: string): string {
  return `v-${readable(name)}-${nameHash(identity)}`
}

/** Cut first, so that a long name costs no more than a short one. */
function readable(name: string): string {
  return name.slice(0, maxReadable).replace(/[^a-z0-9-]/g, '-')
}

/** 67 bits of SHA-256, as a part of a name. */
export function nameHash(text: string): string {
  const digest = hash('sha256', text, 'hex')
  const value = BigInt(`0x${digest.slice(0, hashBytes * 2)}`) % hashValues
  return value.toString(36).padStart(hashLength, '0')
}
