import type { PlatformSettings } from '../settings.ts'
import { dataDirectory } from './directories.ts'
import { etcdEntries, secretDirectories } from './secret-volumes.ts'

const endpointsVariable = 'ETCD_ENDPOINTS'

type Chosen = Pick<PlatformSettings, 'store' | 'etcdSecret'>

/** `--store` of `tenant platform serve` in a Pod, where Kubernetes substitutes the variables. */
export function storeInPod({ store, etcdSecret }: Chosen): string {
  if (etcdSecret === undefined) return store ?? `file:${dataDirectory}/store`
  const address = store ?? `etcd:$(${endpointsVariable})`
  return `${address}${address.includes('?') ? '&' : '?'}${certificates.join('&')}`
}

/** Addresses are read from the Secret unless configured. */
export function storeVariables({ store, etcdSecret }: Chosen): readonly object[] {
  if (etcdSecret === undefined || store !== undefined) return []
  const secretKeyRef = { name: etcdSecret, key: etcdEntries.endpoints }
  return [{ name: endpointsVariable, valueFrom: { secretKeyRef } }]
}

const { etcd } = secretDirectories
const { ca, certificate, key } = etcdEntries
const certificates = [`cafile=${etcd}/${ca}`, `certfile=${etcd}/${certificate}`, `keyfile=${etcd}/${key}`]
