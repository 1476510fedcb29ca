import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { KubeObject } from '../../api/object.ts'
import { followedOrderFile } from '../../base/certificates/common-files.ts'
import { errorText } from '../../base/error-text.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { TenantPlace } from '../../sync/names/names.ts'

/** By entry of the Secret: the file in the data directory. */
export const commonFiles = {
  'admin.key': 'admin.key',
  'ca.crt': 'pki/ca.crt',
  'ca.key': 'pki/ca.key',
  'client-ca.crt': 'pki/virtual/client-ca.crt',
  'client-ca.key': 'pki/virtual/client-ca.key',
  'front-proxy-ca.crt': 'pki/virtual/front-proxy-ca.crt',
  'front-proxy-ca.key': 'pki/virtual/front-proxy-ca.key',
} as const

/** The rotation order that this replica followed. */
export const followedOrder = `pki/virtual/${followedOrderFile}`

export type CommonEntry = keyof typeof commonFiles

/** The texts that exist. */
export type CommonTexts = ReadonlyMap<CommonEntry, string>

const authorities = ['ca', 'client-ca', 'front-proxy-ca'] as const
const changeAnnotation = 'tenant.internal/last-change'

/** The name of the Secret in which replicas of a virtual cluster keep their authorities and keys. */
export function commonSecretName(tenant: string): string {
  return `tenant-${tenant}-pki`
}

export function commonEntries(): readonly CommonEntry[] {
  return Object.keys(commonFiles) as CommonEntry[]
}

/** The Secret with these texts. `before`: the Secret that it replaces. */
export function commonSecret(
  { tenant, hostNamespace: namespace }: TenantPlace,
  texts: CommonTexts,
  { before, change }: { readonly before: KubeObject | undefined; readonly change: string | undefined },
): KubeObject {
  const { metadata = { namespace, name: commonSecretName(tenant) } } = before ?? {}
  const annotations = { ...metadata.annotations, ...(change !== undefined && { [changeAnnotation]: change }) }
  const data = [...texts].map(([entry, text]) => [entry, Buffer.from(text).toString('base64')])
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...metadata, annotations, labels: { ...metadata.labels, 'app.kubernetes.io/instance': tenant } },
    type: 'Opaque',
    data: Object.fromEntries(data),
  }
}

export function lastChangeOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[changeAnnotation]
}

/** Throws an Error that describes the problem. */
export function commonTextsIn({ data }: KubeObject): CommonTexts {
  const encoded = isJsonObject(data) ? data : {}
  const texts = new Map(
    commonEntries().flatMap((entry): readonly (readonly [CommonEntry, string])[] => {
      const value = encoded[entry]
      return typeof value === 'string' ? [[entry, Buffer.from(value, 'base64').toString()]] : []
    }),
  )
  for (const authority of authorities) requirePair(texts, authority)
  if (texts.get('admin.key')?.trim() === '') throw new Error('admin.key is empty')
  return texts
}

function requirePair(texts: CommonTexts, authority: (typeof authorities)[number]): void {
  const certificate = texts.get(`${authority}.crt`)
  const key = texts.get(`${authority}.key`)
  if (certificate === undefined && key === undefined) return
  if (certificate === undefined || key === undefined)
    throw new Error(`it holds only one of certificate and key of ${authority}`)
  if (!isPair(certificate, key, authority)) throw new Error(`${authority}.key is not the key of ${authority}.crt`)
}

function isPair(certificate: string, key: string, authority: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  } catch (error) {
    throw new Error(`${authority} cannot be read: ${errorText(error)}`)
  }
}
