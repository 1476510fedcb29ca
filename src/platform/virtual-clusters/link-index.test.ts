import { beforeEach, describe, expect, it } from 'vitest'
import { virtualClusterInstanceKind } from '../../api/management/virtual-cluster-instance.ts'
import { hashProof } from '../../auth/proofs/proof-value.ts'
import { StoredDocument, sealedBytes, toStoredBytes } from '../../registry/document.ts'
import { provenBy, withOffer } from './identity/proof-result.ts'
import { type SealedIdentity, sealedIdentityForm, unknownIdentity } from './identity/sealed-identity.ts'
import { LinkIndex } from './link-index.ts'

const kind = virtualClusterInstanceKind('platform.internal')

function document(id: string, status: object, identity: SealedIdentity = unknownIdentity): StoredDocument {
  const [namespace = '', name = ''] = id.split('/')
  const object = { apiVersion: 'v1', kind: 'VirtualClusterInstance', metadata: { namespace, name }, status }
  const stored = toStoredBytes(kind, object, sealedBytes(sealedIdentityForm(identity)))
  return new StoredDocument(kind, { namespace, name }, stored, 7)
}

describe('the index of links', () => {
  const changes: string[] = []
  let index: LinkIndex
  beforeEach(() => {
    changes.length = 0
    index = new LinkIndex((namespace, name) => changes.push(`${namespace}/${name}`))
  })

  it('finds a virtual cluster by its proof, and by what it was offered, in its own project only', () => {
    index.put(document('p-a/proven', {}, provenBy('mine')))
    index.put(document('p-a/offered', {}, withOffer(unknownIdentity, hashProof('offer'), 0)))
    const named = (namespace: string, proof: string) => index.inNamespace(namespace).withProof(hashProof(proof))
    expect(named('p-a', 'mine')).toBe('proven')
    expect(named('p-a', 'offer')).toBe('offered')
    expect(named('p-b', 'mine')).toBeUndefined()
    expect(named('p-a', 'other')).toBeUndefined()
  })

  it('forgets void proofs, and those of deleted objects', () => {
    index.put(document('p-a/dev', {}, provenBy('old')))
    index.put(document('p-a/dev', {}, provenBy('new')))
    expect(index.inNamespace('p-a').withProof(hashProof('old'))).toBeUndefined()
    expect(index.inNamespace('p-a').withProof(hashProof('new'))).toBe('dev')
    index.remove(document('p-a/dev', {}))
    expect(index.inNamespace('p-a').withProof(hashProof('new'))).toBeUndefined()
    expect(index.inNamespace('p-a').get('dev')).toBeUndefined()
  })

  it('counts registered virtual clusters', () => {
    index.put(document('p-a/made', {}))
    index.put(document('p-a/early', { serviceUid: 'uid' }))
    index.put(document('p-b/proven', {}, provenBy('mine')))
    index.put(document('p-b/proven', { serviceUid: 'uid' }, provenBy('mine')))
    expect(index.registered).toBe(2)
    index.remove(document('p-a/early', {}))
    index.remove(document('p-a/never', {}))
    expect(index.registered).toBe(1)
  })

  it('knows which are linked to a replica', () => {
    const linkedTo = (replica: string) => ({ online: true, link: { replica } })
    index.put(document('p-a/one', linkedTo('r1')))
    index.put(document('p-b/two', linkedTo('r1')))
    index.put(document('p-a/three', {}))
    expect([...index.linkedTo('r1')]).toEqual(['p-a/one', 'p-b/two'])
    index.put(document('p-a/one', linkedTo('r2')))
    index.put(document('p-b/two', { online: false }))
    expect([...index.replicas()]).toEqual(['r2'])
    expect([...index.linkedTo('r2')]).toEqual(['p-a/one'])
    expect([...index.linkedTo('r1')]).toEqual([])
    expect(changes).toEqual(['p-a/one', 'p-b/two', 'p-a/three', 'p-a/one', 'p-b/two'])
  })
})
