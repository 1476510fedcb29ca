import {
  AuthenticationV1Api,
  AuthorizationV1Api,
  CoordinationV1Api,
  CoreV1Api,
  DiscoveryV1Api,
  RbacAuthorizationV1Api,
  V1MicroTime,
  VersionApi,
  Watch,
} from '@kubernetes/client-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { asApply, asMergePatch, asStrategicPatch, configOf, refusalOf } from './javascript-client.ts'
import { startPlatform } from './platform.ts'

const namespace = 'default'

describe('the JavaScript client', () => {
  let server: TestServer
  let core: CoreV1Api

  beforeAll(async () => {
    server = await startPlatform()
    core = configOf(server.kubeconfig()).makeApiClient(CoreV1Api)
  })
  afterAll(() => server.stop())

  const create = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) =>
    core.createNamespacedConfigMap({ namespace, body: { metadata: { name, labels }, data } })

  describe('typed calls', () => {
    it('create, read, replace and delete', async () => {
      const created = await create('crud', { step: '1' })
      expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date)
      expect(await core.readNamespacedConfigMap({ namespace, name: 'crud' })).toEqual(created)
      const replaced = await core.replaceNamespacedConfigMap({
        namespace,
        name: 'crud',
        body: { ...created, data: { step: '2' } },
      })
      expect(replaced.metadata).toMatchObject({ uid: created.metadata?.uid, name: 'crud' })
      expect(replaced).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { step: '2' } })
      const deleted = await core.deleteNamespacedConfigMap({ namespace, name: 'crud' })
      expect(deleted).toMatchObject({ status: 'Success', details: { name: 'crud', uid: created.metadata?.uid } })
    })

    it('handle kinds with special fields: secrets, cluster IPs, micro times, rules', async () => {
      const config = configOf(server.kubeconfig())
      const secret = await core.createNamespacedSecret({
        namespace,
        body: { metadata: { name: 'secret' }, stringData: { password: 'open sesame' } },
      })
      expect(secret).toMatchObject({ type: 'Opaque', data: { password: btoa('open sesame') } })
      const service = await core.createNamespacedService({
        namespace,
        body: { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } },
      })
      expect(service.spec).toMatchObject({
        clusterIP: expect.stringMatching(/^10\./),
        type: 'ClusterIP',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      })
      const renewTime = new V1MicroTime('2030-01-02T03:04:05.678Z')
      const lease = await config.makeApiClient(CoordinationV1Api).createNamespacedLease({
        namespace,
        body: { metadata: { name: 'leader' }, spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime } },
      })
      expect(String(lease.spec?.renewTime)).toBe('2030-01-02T03:04:05.678000Z')
      const role = await config.makeApiClient(RbacAuthorizationV1Api).createNamespacedRole({
        namespace,
        body: { metadata: { name: 'reader' }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
      })
      expect(role.rules).toEqual([{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }])
      const slice = await config.makeApiClient(DiscoveryV1Api).createNamespacedEndpointSlice({
        namespace,
        body: { metadata: { name: 'slice' }, addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }] },
      })
      expect(slice.endpoints).toMatchObject([{ addresses: ['10.1.2.3'] }])
    })

    it('create a namespace, and delete it with its content', async () => {
      const name = 'passing'
      await core.createNamespace({ body: { metadata: { name } } })
      await core.createNamespacedConfigMap({ namespace: name, body: { metadata: { name: 'inside' } } })
      const account = { namespace: name, name: 'default' }
      await eventually(async () =>
        expect((await core.readNamespacedServiceAccount(account)).kind).toBe('ServiceAccount'),
      )
      expect(await core.deleteNamespace({ name })).toMatchObject({ status: { phase: 'Terminating' } })
      await eventually(async () => expect((await refusalOf(core.readNamespace({ name }))).code).toBe(404))
    })

    it('read the version', async () => {
      const version = await configOf(server.kubeconfig()).makeApiClient(VersionApi).getCode()
      expect(version).toMatchObject({ major: '1', minor: '32' })
    })

    it('write nothing in a dry run', async () => {
      const body = { metadata: { name: 'dry' } }
      expect(await core.createNamespacedConfigMap({ namespace, body, dryRun: 'All' })).toMatchObject(body)
      expect((await refusalOf(core.readNamespacedConfigMap({ namespace, name: 'dry' }))).code).toBe(404)
    })
  })

  describe('lists', () => {
    const names = Array.from({ length: 7 }, (_, index) => `listed-${index}`)
    const namesOf = (list: { readonly items: readonly { readonly metadata?: { readonly name?: string } }[] }) =>
      list.items.map(({ metadata }) => metadata?.name)

    beforeAll(async () => {
      for (const [index, name] of names.entries()) {
        await create(name, {}, { suite: 'lists', parity: index % 2 === 0 ? 'even' : 'odd' })
      }
    })

    it('select by label and by field', async () => {
      const even = await core.listNamespacedConfigMap({ namespace, labelSelector: 'suite=lists,parity in (even)' })
      expect(namesOf(even)).toEqual(['listed-0', 'listed-2', 'listed-4', 'listed-6'])
      const one = await core.listNamespacedConfigMap({ namespace, fieldSelector: 'metadata.name=listed-3' })
      expect(namesOf(one)).toEqual(['listed-3'])
      const everywhere = await core.listConfigMapForAllNamespaces({ labelSelector: 'suite=lists,parity!=even' })
      expect(namesOf(everywhere)).toEqual(['listed-1', 'listed-3', 'listed-5'])
    })

    it('come in pages of one state', async () => {
      const query = { namespace, labelSelector: 'suite=lists', limit: 3 }
      const first = await core.listNamespacedConfigMap(query)
      await create('listed-later', {}, { suite: 'lists' })
      const second = await core.listNamespacedConfigMap({ ...query, _continue: first.metadata?._continue ?? '' })
      const third = await core.listNamespacedConfigMap({ ...query, _continue: second.metadata?._continue ?? '' })
      expect([...namesOf(first), ...namesOf(second), ...namesOf(third)]).toEqual(names)
      expect(third.metadata?._continue).toBeUndefined()
      expect(new Set([first, second, third].map(({ metadata }) => metadata?.resourceVersion)).size).toBe(1)
    })
  })

  describe('patches', () => {
    it('of JSON, which the client sends unless told otherwise', async () => {
      await create('json-patched', { keep: '1', drop: '2' })
      const body = [
        { op: 'test', path: '/data/keep', value: '1' },
        { op: 'remove', path: '/data/drop' },
        { op: 'add', path: '/data/added', value: '3' },
      ]
      const patched = await core.patchNamespacedConfigMap({ namespace, name: 'json-patched', body })
      expect(patched.data).toEqual({ keep: '1', added: '3' })
    })

    it('that merge', async () => {
      await create('merged', { keep: '1', drop: '2' })
      const body = { data: { drop: null, added: '3' } }
      const patched = await core.patchNamespacedConfigMap({ namespace, name: 'merged', body }, asMergePatch)
      expect(patched.data).toEqual({ keep: '1', added: '3' })
    })

    it('that merge lists by their keys', async () => {
      const ports = [
        { name: 'http', port: 80 },
        { name: 'https', port: 443 },
      ]
      await core.createNamespacedService({ namespace, body: { metadata: { name: 'merged' }, spec: { ports } } })
      const body = { spec: { ports: [{ port: 443, targetPort: 8443 }] } }
      const patched = await core.patchNamespacedService({ namespace, name: 'merged', body }, asStrategicPatch)
      expect(patched.spec?.ports?.map(({ port, name, targetPort }) => ({ port, name, targetPort }))).toEqual([
        { port: 80, name: 'http', targetPort: 80 },
        { port: 443, name: 'https', targetPort: 8443 },
      ])
    })

    it('that apply, with a conflict that names the other manager, and force', async () => {
      const apply = (fieldManager: string, mode: string, force = false) =>
        core.patchNamespacedConfigMap(
          {
            namespace,
            name: 'applied',
            fieldManager,
            force,
            body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data: { mode } },
          },
          asApply,
        )
      expect(await apply('first', 'a')).toMatchObject({ data: { mode: 'a' } })
      expect(await refusalOf(apply('second', 'b'))).toMatchObject({
        code: 409,
        status: {
          reason: 'Conflict',
          message: 'Apply failed with 1 conflict: conflict with "first": .data.mode',
          details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.mode' }] },
        },
      })
      const forced = await apply('second', 'b', true)
      expect(forced.data).toEqual({ mode: 'b' })
      expect(forced.metadata?.managedFields?.map(({ manager, operation }) => ({ manager, operation }))).toEqual([
        { manager: 'second', operation: 'Apply' },
      ])
    })
  })

  describe('deletions', () => {
    const family = async (prefix: string) => {
      const { metadata } = await create(`${prefix}-owner`)
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: `${prefix}-owner`, uid: metadata?.uid ?? '' }
      const ownerReferences = [{ ...owner, blockOwnerDeletion: true }]
      const name = `${prefix}-dependent`
      await core.createNamespacedConfigMap({ namespace, body: { metadata: { name, ownerReferences } } })
    }
    const codeOf = async (name: string) => (await refusalOf(core.readNamespacedConfigMap({ namespace, name }))).code

    it.each(['Background', 'Foreground'])('%s: the dependent is deleted too', async (propagationPolicy) => {
      const prefix = propagationPolicy.toLowerCase()
      await family(prefix)
      await core.deleteNamespacedConfigMap({ namespace, name: `${prefix}-owner`, body: { propagationPolicy } })
      await eventually(async () => expect(await codeOf(`${prefix}-dependent`)).toBe(404))
      await eventually(async () => expect(await codeOf(`${prefix}-owner`)).toBe(404))
    })

    it('Orphan: the dependent stays, without its owner', async () => {
      await family('orphan')
      await core.deleteNamespacedConfigMap({ namespace, name: 'orphan-owner', propagationPolicy: 'Orphan' })
      await eventually(async () => expect(await codeOf('orphan-owner')).toBe(404))
      const dependent = await core.readNamespacedConfigMap({ namespace, name: 'orphan-dependent' })
      expect(dependent.metadata?.ownerReferences).toBeUndefined()
    })

    it('wait for finalizers', async () => {
      const body = { metadata: { name: 'guarded', finalizers: ['example.com/guard'] } }
      await core.createNamespacedConfigMap({ namespace, body })
      const { metadata } = await core
        .deleteNamespacedConfigMap({ namespace, name: 'guarded' })
        .then(() => core.readNamespacedConfigMap({ namespace, name: 'guarded' }))
      expect(metadata?.deletionTimestamp).toBeInstanceOf(Date)
      const unguard = [{ op: 'remove', path: '/metadata/finalizers' }]
      await core.patchNamespacedConfigMap({ namespace, name: 'guarded', body: unguard })
      expect(await codeOf('guarded')).toBe(404)
    })

    it('of a collection, by selector', async () => {
      for (const name of ['swept-1', 'swept-2']) await create(name, {}, { sweep: 'yes' })
      await create('unswept')
      await core.deleteCollectionNamespacedConfigMap({ namespace, labelSelector: 'sweep=yes' })
      expect(await Promise.all(['swept-1', 'swept-2', 'unswept'].map(codeOf))).toEqual([404, 404, 200])
    })

    it('only of the object that is meant', async () => {
      await create('meant')
      const body = { preconditions: { uid: 'another' } }
      const refusal = await refusalOf(core.deleteNamespacedConfigMap({ namespace, name: 'meant', body }))
      expect(refusal).toMatchObject({ code: 409, status: { reason: 'Conflict' } })
    })
  })

  describe('the status subresource', () => {
    it('changes the status and nothing else', async () => {
      const body = { metadata: { name: 'node-1' }, spec: { podCIDR: '10.2.0.0/24' } }
      const created = await core.createNode({ body })
      const replaced = await core.replaceNodeStatus({
        name: 'node-1',
        body: { ...created, spec: { unschedulable: true }, status: { phase: 'Running' } },
      })
      expect(replaced).toMatchObject({ spec: { podCIDR: '10.2.0.0/24' }, status: { phase: 'Running' } })
      expect(replaced.spec?.unschedulable).toBeUndefined()
      const patch = [{ op: 'replace', path: '/status/phase', value: 'Pending' }]
      expect(await core.patchNodeStatus({ name: 'node-1', body: patch })).toMatchObject({
        status: { phase: 'Pending' },
      })
    })
  })

  describe('errors carry a Status', () => {
    const as = (user: 'alice') => configOf(server.kubeconfig(user)).makeApiClient(CoreV1Api)
    const stale = async () => {
      const created = await create('stale')
      await core.patchNamespacedConfigMap({ namespace, name: 'stale', body: { data: { step: '2' } } }, asMergePatch)
      return core.replaceNamespacedConfigMap({ namespace, name: 'stale', body: created })
    }
    const cases: readonly (readonly [string, () => Promise<unknown>, object])[] = [
      [
        'not found',
        () => core.readNamespacedConfigMap({ namespace, name: 'nowhere' }),
        { code: 404, reason: 'NotFound', message: 'configmaps "nowhere" not found' },
      ],
      [
        'already there',
        () => create('twice').then(() => create('twice')),
        { code: 409, reason: 'AlreadyExists', message: 'configmaps "twice" already exists' },
      ],
      ['changed by another client', stale, { code: 409, reason: 'Conflict' }],
      [
        'not valid',
        () => create('Not_A_Name'),
        {
          code: 422,
          reason: 'Invalid',
          details: { causes: [{ field: 'metadata.name', reason: 'FieldValueInvalid' }] },
        },
      ],
      [
        'not allowed',
        () => as('alice').listNamespacedConfigMap({ namespace }),
        {
          code: 403,
          reason: 'Forbidden',
          message:
            'configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" in the namespace "default"',
        },
      ],
    ]
    it.each(cases)('%s', async (_, request, status) => {
      expect((await refusalOf(request())).status).toMatchObject({ kind: 'Status', status: 'Failure', ...status })
    })

    it('but for a wrong token, whose Status the client drops', async () => {
      const stranger = configOf(server.kubeconfig().replace('admin-token', 'bad')).makeApiClient(CoreV1Api)
      expect((await refusalOf(stranger.listNode())).code).toBe(401)
    })
  })

  describe('reviews', () => {
    const apis = (user: 'admin' | 'alice') => {
      const config = configOf(server.kubeconfig(user))
      return {
        authentication: config.makeApiClient(AuthenticationV1Api),
        authorization: config.makeApiClient(AuthorizationV1Api),
      }
    }

    it('return the identity and the rights of the caller', async () => {
      const { authentication, authorization } = apis('alice')
      const whoami = await authentication.createSelfSubjectReview({ body: {} })
      expect(whoami.status?.userInfo).toMatchObject({ username: 'alice', groups: ['dev', 'system:authenticated'] })
      const resourceAttributes = { verb: 'get', resource: 'pods', namespace }
      const mayI = await authorization.createSelfSubjectAccessReview({ body: { spec: { resourceAttributes } } })
      expect(mayI.status?.allowed).toBe(false)
      const rules = await authorization.createSelfSubjectRulesReview({ body: { spec: { namespace } } })
      expect(rules.status).toMatchObject({ incomplete: false, resourceRules: expect.any(Array) })
    })

    it('return the rights of other users', async () => {
      const { authentication, authorization } = apis('admin')
      const resourceAttributes = { verb: 'get', resource: 'pods', namespace }
      const spec = { user: 'somebody', groups: ['system:masters'], resourceAttributes }
      expect((await authorization.createSubjectAccessReview({ body: { spec } })).status?.allowed).toBe(true)
      const known = await authentication.createTokenReview({ body: { spec: { token: 'alice-token' } } })
      expect(known.status).toMatchObject({ authenticated: true, user: { username: 'alice' } })
    })

    it('accept a requested token of a service account', async () => {
      await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: 'robot' } } })
      const { status } = await core.createNamespacedServiceAccountToken({
        namespace,
        name: 'robot',
        body: { spec: { audiences: [], expirationSeconds: 600 } },
      })
      const robot = configOf(server.kubeconfig().replace('admin-token', status?.token ?? ''))
      const whoami = await robot.makeApiClient(AuthenticationV1Api).createSelfSubjectReview({ body: {} })
      expect(whoami.status?.userInfo?.username).toBe('system:serviceaccount:default:robot')
    })
  })

  describe('a watch', () => {
    it('reports changes from a version on, then ends at its timeout', async () => {
      const { metadata } = await core.listNamespacedConfigMap({ namespace })
      const seen: string[] = []
      let end: unknown = 'open'
      const query = { resourceVersion: metadata?.resourceVersion, labelSelector: 'watched=yes', timeoutSeconds: 2 }
      await new Watch(configOf(server.kubeconfig())).watch(
        `/api/v1/namespaces/${namespace}/configmaps`,
        query,
        (type, object) => seen.push(`${type} ${object.metadata.name}`),
        (error) => {
          end = error
        },
      )
      await create('watched', {}, { watched: 'yes' })
      await create('unwatched')
      await core.patchNamespacedConfigMap({ namespace, name: 'watched', body: { data: { step: '2' } } }, asMergePatch)
      await core.deleteNamespacedConfigMap({ namespace, name: 'watched' })
      await eventually(() => expect(seen).toEqual(['ADDED watched', 'MODIFIED watched', 'DELETED watched']))
      await eventually(() => expect(end).toBeNull())
    })
  })
})
