import { createHash } from 'node:crypto'

export interface TenantPlace {
  readonly tenant: string
  readonly hostNamespace: string
}

const readableLength = 47
const digits = 13

/** The name of a copy, computed from the documentation alone. */
export function copyName({ tenant, hostNamespace }: TenantPlace, namespace: string, name: string): string {
  const identity = JSON.stringify([hostNamespace, tenant, namespace, name])
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 32)
  const number = BigInt(`0x${digest}`) % 36n ** BigInt(digits)
  const readable = [...name.slice(0, readableLength)].map((letter) => (/[a-z0-9-]/.test(letter) ? letter : '-'))
  return `v-${readable.join('')}-${number.toString(36).padStart(digits, '0')}`
}
