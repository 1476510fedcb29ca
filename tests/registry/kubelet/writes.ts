import { describe, expect, it } from 'vitest'
import { type Caller, containers, core, place, uidOf } from './caller.ts'

/** Runs on a server with the objects of nodes.test.ts. */
export function kubeletWrites({ send, said }: Caller): void {
  describe('a kubelet writes', () => {
    const forbiddenNode = '403 nodes "n1" is forbidden:'

    it('its own node, without labels and taints that attract Pods', async () => {
      const own = `${core}/nodes/n1`
      const status = { status: { phase: 'Running' } }
      expect(await said('n1', 'PATCH', `${own}/status`, status)).toBe('200')
      expect(await said('n1', 'PATCH', own, { metadata: { labels: { 'kubernetes.io/os': 'linux', a: 'b' } } })).toBe(
        '200',
      )
      const labels = { 'node-restriction.kubernetes.io/x': 'y', 'node-role.kubernetes.io/z': '' }
      expect(await said('n1', 'PATCH', own, { metadata: { labels } })).toBe(
        `${forbiddenNode} is not allowed to modify labels: node-restriction.kubernetes.io/x, node-role.kubernetes.io/z`,
      )
      expect(await said('n1', 'PATCH', `${own}/status`, { metadata: { labels } })).toContain('to modify labels')
      expect(await said('n1', 'PATCH', own, { spec: { taints: [] } })).toBe(
        `${forbiddenNode} node "n1" is not allowed to modify taints`,
      )
      const ownerReferences = [{ apiVersion: 'v1', kind: 'Namespace', name: 'default', uid: 'x' }]
      expect(await said('n1', 'PATCH', own, { metadata: { ownerReferences } })).toBe(
        `${forbiddenNode} node "n1" is not allowed to modify ownerReferences`,
      )
      expect(await said('n1', 'PATCH', `${core}/nodes/n2/status`, status)).toBe(
        '403 nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"',
      )
      expect(await said('n1', 'DELETE', own)).toMatch(/^403 .*cannot delete resource "nodes"/)
    })

    it('its own node again', async () => {
      await send('admin', 'DELETE', `${core}/nodes/n2`)
      const labels = { 'node-restriction.kubernetes.io/x': 'y' }
      expect(await said('n2', 'POST', `${core}/nodes`, { metadata: { name: 'n2', labels } })).toBe(
        '403 nodes "n2" is forbidden: node "n2" is not allowed to set the following labels: node-restriction.kubernetes.io/x',
      )
      expect(await said('n2', 'POST', `${core}/nodes`, { metadata: { name: 'n3' } })).toContain('to modify node "n3"')
      expect(await said('n2', 'POST', `${core}/nodes`, { metadata: { name: 'n2' } })).toBe('201')
    })

    it('the status of its Pods, and evicts them', async () => {
      const running = { status: { phase: 'Running' } }
      expect(await said('n1', 'PATCH', `${place}/pods/p/status`, running)).toBe('200')
      expect(await said('n1', 'PATCH', `${place}/pods/q/status`, running)).toBe(
        '403 pods "q" is forbidden: node "n1" can only update pod status for pods with spec.nodeName set to itself',
      )
      expect(await said('n1', 'PATCH', `${place}/pods/p/status`, { metadata: { labels: { a: 'b' } } })).toBe(
        '403 pods "p" is forbidden: node "n1" cannot update labels through pod status',
      )
      expect(await said('n1', 'PUT', `${place}/pods/p/status`, { metadata: { name: 'p' } })).not.toMatch(/^5/)
      expect(await said('n1', 'DELETE', `${place}/pods/q`)).toBe(
        '403 pods "q" is forbidden: node "n1" can only delete pods with spec.nodeName set to itself',
      )
      const eviction = (name: string) => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } })
      expect(await said('n1', 'POST', `${place}/pods/q/eviction`, eviction('q'))).toBe(
        '403 pods "q" is forbidden: node n1 can only evict pods with spec.nodeName set to itself',
      )
      expect(await said('n1', 'POST', `${place}/pods/zz/eviction`, eviction('zz'))).toBe('404 pods "zz" not found')
      await send('admin', 'POST', `${place}/pods`, { metadata: { name: 'r' }, spec: { nodeName: 'n1', containers } })
      expect(await said('n1', 'POST', `${place}/pods/r/eviction`, eviction('r'))).toBe('201')
    })

    it('mirror Pods without references', async () => {
      const uid = uidOf(await send('admin', 'GET', `${core}/nodes/n1`))
      const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid, controller: true }
      const metadata = { name: 'm', annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [owner] }
      const spec = { nodeName: 'n1', containers }
      const create = (pod: object) => said('n1', 'POST', `${place}/pods`, pod)
      const refusals: readonly (readonly [object, string])[] = [
        [
          { metadata: { name: 'm' }, spec },
          'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
        ],
        [
          { metadata, spec: { ...spec, nodeName: 'n2' } },
          'node "n1" can only create pods with spec.nodeName set to itself',
        ],
        [
          { metadata: { ...metadata, ownerReferences: [] }, spec },
          'node "n1" can only create pods with an owner reference set to itself',
        ],
        [
          { metadata: { ...metadata, ownerReferences: [{ ...owner, controller: false }] }, spec },
          'node "n1" can only create pods with a controller owner reference set to itself',
        ],
        [
          { metadata: { ...metadata, ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }, spec },
          'node "n1" must not set blockOwnerDeletion on an owner reference',
        ],
        [
          { metadata: { ...metadata, ownerReferences: [{ ...owner, uid: 'y' }] }, spec },
          `node n1 UID mismatch: expected y got ${uid}`,
        ],
        [
          { metadata, spec: { ...spec, serviceAccountName: 'default' } },
          'node "n1" can not create pods that reference a service account',
        ],
        [
          { metadata, spec: { ...spec, volumes: [{ name: 's', secret: { secretName: 'unused' } }] } },
          'node "n1" can not create pods that reference secrets',
        ],
        [
          {
            metadata,
            spec: { ...spec, containers: [{ ...containers[0], envFrom: [{ configMapRef: { name: 'x' } }] }] },
          },
          'node "n1" can not create pods that reference configmaps',
        ],
        [
          { metadata, spec: { ...spec, volumes: [{ name: 's', persistentVolumeClaim: { claimName: 'c' } }] } },
          'node "n1" can not create pods that reference persistentvolumeclaims',
        ],
      ]
      expect(await create({ metadata })).toMatch(/^4/)
      for (const [pod, reason] of refusals) expect(await create(pod)).toBe(`403 pods "m" is forbidden: ${reason}`)
      expect(await create({ metadata, spec })).toBe('201')
      expect(await said('n1', 'DELETE', `${place}/pods/m`, { gracePeriodSeconds: 0 })).toBe('200')
    })

    it('tokens for its own Pods, bound to them', async () => {
      const [own, other] = [
        uidOf(await send('admin', 'GET', `${place}/pods/p`)),
        uidOf(await send('admin', 'GET', `${place}/pods/q`)),
      ]
      const ask = (boundObjectRef?: object, account = 'default') => {
        const spec = { audiences: [], ...(boundObjectRef && { boundObjectRef }) }
        return said('n1', 'POST', `${place}/serviceaccounts/${account}/token`, { spec })
      }
      const pod = { apiVersion: 'v1', kind: 'Pod', name: 'p' }
      const refused = '403 serviceaccounts "default" is forbidden:'
      expect(await ask()).toBe(`${refused} node requested token not bound to a pod`)
      expect(await ask(pod)).toBe(`${refused} node requested token with a pod binding without a uid`)
      expect(await ask({ ...pod, uid: 'x' })).toContain('the UID in the bound object reference (x) does not match')
      expect(await ask({ ...pod, name: 'q', uid: other })).toBe(
        `${refused} node requested token bound to a pod scheduled on a different node`,
      )
      expect(await ask({ ...pod, uid: own }, 'another')).toMatch(/: no relationship found between node 'n1' and this/)
      expect(await ask({ ...pod, uid: own })).toBe('201')
      expect(await said('n1', 'POST', `${place}/serviceaccounts/default/token`, {})).not.toMatch(/^5/)
      expect(await ask({ ...pod, name: {}, uid: own })).toMatch(/^4/)
    })

    it('its Lease, its CSINode and the size of its claims', async () => {
      const leases = (namespace: string) => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`
      const wrongLease = 'can only access node lease with the same name as the requesting node'
      expect(await said('n1', 'POST', leases('kube-node-lease'), { metadata: { name: 'n2' } })).toBe(
        `403 leases.coordination.k8s.io "n2" is forbidden: ${wrongLease}`,
      )
      expect(await said('n1', 'POST', leases('kube-node-lease'), { metadata: { name: 'n1' } })).toBe('201')
      expect(await said('n1', 'PATCH', `${leases('kube-node-lease')}/n1`, { spec: { holderIdentity: 'n1' } })).toBe(
        '200',
      )
      const csiNodes = '/apis/storage.k8s.io/v1/csinodes'
      expect(await said('n1', 'POST', csiNodes, { metadata: { name: 'n2' }, spec: { drivers: [] } })).toContain(
        'can only access CSINode with the same name as the requesting node',
      )
      expect(await said('n1', 'POST', csiNodes, { metadata: { name: 'n1' }, spec: { drivers: [] } })).toBe('201')
      const claim = `${place}/persistentvolumeclaims/c`
      const size = { status: { capacity: { storage: '1Gi' } } }
      expect(await said('n1', 'PATCH', `${claim}/status`, size)).toBe('200')
      expect(await said('n2', 'PATCH', `${claim}/status`, size)).toMatch(/: no relationship found/)
      expect(await said('n1', 'PATCH', `${claim}/status`, { metadata: { labels: { a: 'b' } } })).toBe(
        '403 persistentvolumeclaims "c" is forbidden: node "n1" is not allowed to update fields other than status.capacity and status.conditions: metadata',
      )
    })

    it('nothing else, whatever its roles grant', async () => {
      const rbac = '/apis/rbac.authorization.k8s.io/v1'
      await send('admin', 'POST', `${rbac}/clusterrolebindings`, {
        metadata: { name: 'too-much' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:node:n1' }],
      })
      expect(await said('n1', 'GET', `${place}/secrets/unused`)).toBe('200')
      expect(await said('n1', 'PATCH', `${place}/pods/p`, { metadata: { labels: { a: 'b' } } })).toBe(
        '403 pods "p" is forbidden: unexpected operation "UPDATE", node "n1" can only create and delete mirror pods',
      )
      const target = { apiVersion: 'v1', kind: 'Node', name: 'n1' }
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'q' }, target }
      expect(await said('n1', 'POST', `${place}/pods/q/binding`, binding)).toContain(
        `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
      )
      const claims = `${place}/persistentvolumeclaims`
      expect(await said('n1', 'DELETE', `${claims}/c`)).toContain('may only update PVC status')
      expect(await said('n1', 'DELETE', `${core}/nodes/n2`)).toContain('is not allowed to modify node "n2"')
      await send('admin', 'DELETE', `${rbac}/clusterrolebindings/too-much`)
    })
  })
}
