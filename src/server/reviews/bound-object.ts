import { badRequest, conflict, notFound } from '../../api/error.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import { type KubeObject, parseApiVersion } from '../../api/object.ts'
import { objectAt, textAt, type UnknownMembers } from '../../auth/member.ts'
import type { BoundKind, BoundObject } from '../../auth/service-account-claims.ts'
import type { FindObject } from '../../auth/service-account-tokens.ts'

const plurals: ReadonlyMap<string, { readonly kind: BoundKind; readonly plural: string }> = new Map([
  ['Pod', { kind: 'Pod', plural: 'pods' }],
  ['Secret', { kind: 'Secret', plural: 'secrets' }],
  ['Node', { kind: 'Node', plural: 'nodes' }],
])

/** The object to bind a token to. It must exist, and a pod must run as the service account. */
export async function boundObjects(
  reference: UnknownMembers | undefined,
  account: KubeObject,
  findObject: FindObject,
): Promise<readonly BoundObject[]> {
  if (reference === undefined) return []
  const name = textAt(reference, 'name')
  const { kind, plural } = bindable(reference)
  if (name === '') throw badRequest('Name parameter required.')
  const found = await findObject(kind, kind === 'Node' ? '' : (account.metadata.namespace ?? ''), name)
  if (found === undefined) throw notFound({ plural, group: '' }, name)
  if (kind === 'Pod') refuseOtherAccount(account.metadata.name ?? '', found)
  const uid = found.metadata.uid ?? ''
  refuseOtherUid(kind, name, textAt(reference, 'uid'), uid)
  const nodeName = kind === 'Pod' ? textAt(objectAt(found, 'spec'), 'nodeName') : ''
  const node = nodeName === '' ? undefined : await findObject('Node', '', nodeName)
  const bound: BoundObject = { kind, name, uid }
  return node === undefined ? [bound] : [bound, { kind: 'Node', name: nodeName, uid: node.metadata.uid ?? '' }]
}

function bindable(reference: UnknownMembers): { readonly kind: BoundKind; readonly plural: string } {
  const kind = textAt(reference, 'kind')
  const { group, version } = parseApiVersion(textAt(reference, 'apiVersion'))
  const known = group === '' ? plurals.get(kind) : undefined
  if (known === undefined) throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`)
  return known
}

function refuseOtherAccount(account: string, pod: KubeObject): void {
  const runsAs = textAt(objectAt(pod, 'spec'), 'serviceAccountName')
  if (runsAs === account) return
  throw badRequest(
    `cannot bind token for serviceaccount ${quoted(account)} to pod running with different serviceaccount name.`,
  )
}

function refuseOtherUid(kind: BoundKind, name: string, wanted: string, found: string): void {
  if (wanted === '' || wanted === found) return
  throw conflict(
    { plural: kind, group: '' },
    name,
    `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`,
  )
}
