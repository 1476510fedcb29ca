import { describe, expect, it } from 'vitest'
import { type Caller, containers, core, place } from './caller.ts'

/** Runs on a server with the objects of nodes.test.ts. */
export function kubeletReads({ send, said }: Caller): void {
  describe('a kubelet reads', () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
    it.each([
      ['its node', `${core}/nodes/n1`],
      ['its Pod', `${place}/pods/p`],
      ['the Pods of its node', `${core}/pods?fieldSelector=spec.nodeName%3Dn1`],
      ['a Secret of a variable', `${place}/secrets/used`],
      ['that Secret as a list of one', `${place}/secrets?fieldSelector=metadata.name%3Dused`],
      ['a Secret for images', `${place}/secrets/pulled`],
      ['a Secret of the volume of a claim', `${place}/secrets/of-volume`],
      ['a ConfigMap of a volume', `${place}/configmaps/used`],
      ['the certificate of the server', `${place}/configmaps/kube-root-ca.crt`],
      ['a claim', `${place}/persistentvolumeclaims/c`],
      ['its volume', `${core}/persistentvolumes/v`],
      ['all Services', `${core}/services`],
    ])('%s', async (_, path) => {
      expect(await said('n1', 'GET', path)).toBe('200')
    })

    it.each([
      ['another node', `${core}/nodes/n2`, "node 'n1' cannot read 'n2', only its own Node object"],
      ['all nodes', `${core}/nodes`, "node 'n1' cannot read all nodes, only its own Node object"],
      ['a Pod elsewhere', `${place}/pods/q`, "no relationship found between node 'n1' and this object"],
      ['all Pods', `${core}/pods`, 'can only list/watch pods with spec.nodeName field selector'],
      [
        'Pods of another node',
        `${core}/pods?fieldSelector=spec.nodeName%3Dn2`,
        'can only list/watch pods with spec.nodeName field selector',
      ],
      ['a Secret of no Pod', `${place}/secrets/unused`, "no relationship found between node 'n1' and this object"],
      ['a missing Secret', `${place}/secrets/zz`, "no relationship found between node 'n1' and this object"],
      ['all Secrets', `${place}/secrets`, 'No Object name found'],
      ['Secrets of all namespaces', `${core}/secrets`, 'can only read namespaced object of this type'],
      ['all volumes', `${core}/persistentvolumes`, 'can only get individual resources of this type'],
      ['an account', `${place}/serviceaccounts/default`, 'can only create tokens for individual service accounts'],
      ['a Lease of another', `${leases}/n2`, 'can only access node lease with the same name as the requesting node'],
      [
        'a Lease elsewhere',
        '/apis/coordination.k8s.io/v1/namespaces/default/leases/n1',
        'can only access leases in the "kube-node-lease" system namespace',
      ],
      [
        'a CSINode of another',
        '/apis/storage.k8s.io/v1/csinodes/n2',
        'can only access CSINode with the same name as the requesting node',
      ],
    ])('not %s', async (_, path, reason) => {
      const answer = await said('n1', 'GET', path)
      expect(answer).toMatch(/^403 /)
      expect(answer.endsWith(`: ${reason}`)).toBe(true)
    })

    it('nothing by name alone, and nothing without a name', async () => {
      expect(await said('groupless', 'GET', `${core}/nodes/n1`)).toMatch(/^403 .* at the cluster scope$/)
      expect(await said('nameless', 'GET', `${core}/nodes/n1`)).toMatch(/: unknown node for user "system:node:"$/)
    })

    it('what a new Pod refers to, while the Pod exists', async () => {
      const path = `${place}/secrets/unused`
      const volumes = [{ name: 'a', projected: { sources: [{ secret: { name: 'unused' } }] } }]
      const pod = { metadata: { name: 'late' }, spec: { containers, volumes } }
      await send('admin', 'POST', `${place}/pods`, pod)
      expect(await said('n1', 'GET', path)).toMatch(/^403 /)
      const target = { apiVersion: 'v1', kind: 'Node', name: 'n1' }
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'late' }, target }
      expect(await said('n1', 'POST', `${place}/pods/late/binding`, binding)).toMatch(/^403 /)
      expect(await said('admin', 'POST', `${place}/pods/late/binding`, binding)).toBe('201')
      expect(await said('n1', 'GET', path)).toBe('200')
      expect(await said('n2', 'GET', path)).toMatch(/^403 /)
      expect(await said('n1', 'DELETE', `${place}/pods/late`, { gracePeriodSeconds: 0 })).toBe('200')
      expect(await said('n1', 'GET', path)).toMatch(/^403 /)
    })

    it('no right to bind by either path; others must name the Pod in the path or in the body', async () => {
      await send('admin', 'POST', `${place}/pods`, { metadata: { name: 'named' }, spec: { containers } })
      const target = { apiVersion: 'v1', kind: 'Node', name: 'n2' }
      const binding = (name?: string) => ({ apiVersion: 'v1', kind: 'Binding', metadata: { name }, target })
      expect(await said('n2', 'POST', `${place}/bindings`, binding('named'))).toMatch(/^403 /)
      expect(await said('admin', 'POST', `${place}/bindings`, binding())).toBe('400 Name parameter required.')
      expect(await said('admin', 'POST', `${place}/bindings`, binding('none'))).toBe('404 pods "none" not found')
      expect(await said('admin', 'POST', `${place}/bindings`, binding('named'))).toBe('201')
      expect(await said('admin', 'POST', `${place}/bindings`, binding('named'))).toMatch(/^409 .* already assigned/)
      const { body } = await send('admin', 'GET', `${place}/pods/named`)
      expect(body.spec).toMatchObject({ nodeName: 'n2' })
    })

    it('and a review returns the same', async () => {
      const review = async (attributes: object) => {
        const spec = { user: 'system:node:n1', groups: ['system:nodes'], resourceAttributes: attributes }
        const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
        const { body } = await send('admin', 'POST', path, { spec })
        const { status } = Object(body)
        return status.allowed
      }
      const pods = { verb: 'list', resource: 'pods' }
      const own = { key: 'spec.nodeName', operator: 'In', values: ['n1'] }
      expect(await review(pods)).toBe(false)
      expect(await review({ ...pods, fieldSelector: { requirements: [own] } })).toBe(true)
      expect(await review({ ...pods, fieldSelector: { rawSelector: 'spec.nodeName=n1' } })).toBe(true)
      expect(await review({ ...pods, fieldSelector: { requirements: [{ ...own, values: ['n1', 'n2'] }] } })).toBe(false)
      expect(await review({ verb: 'get', resource: 'secrets', namespace: 'default', name: 'used' })).toBe(true)
    })
  })
}
