import { describe, expect, it } from 'vitest'
import { accessKey, configMap, listOf, service } from './objects.ts'
import { changedLines, printed, refused } from './outcome.ts'
import { eachKubectl } from './suite.ts'

const http = { name: 'http', port: 80 }
const https = { name: 'https', port: 443 }
const key = 'ownedaccesskey.management.platform.internal'

eachKubectl('apply and diff', (kubectl) => {
  describe('apply on the client', () => {
    const stored = async (object: string, jsonpath: string) =>
      (await kubectl.run(`get ${object}`, '-o', `jsonpath=${jsonpath}`)).stdout

    it('creates, skips unchanged objects, updates, and prunes removed fields', async () => {
      const first = listOf(
        configMap('story', { a: '1', b: '2' }, { labels: { tier: 'back', kept: 'yes' } }),
        service('story', [http, https]),
      )
      const second = listOf(
        configMap('story', { a: '9', c: '3' }, { labels: { kept: 'yes' } }),
        service('story', [{ ...http, targetPort: 8080 }]),
      )
      const each = (done: string) => printed(`configmap/story ${done}`, `service/story ${done}`)
      expect(await kubectl.pipe(first, 'apply')).toEqual(each('created'))
      expect(await kubectl.pipe(first, 'apply')).toEqual(each('unchanged'))
      await kubectl.run('annotate cm story', 'owner=another team')
      expect(await kubectl.pipe(second, 'apply')).toEqual(each('configured'))
      expect(await stored('cm/story', '{.data} {.metadata.labels}')).toBe('{"a":"9","c":"3"} {"kept":"yes"}')
      expect(await stored('cm/story', '{.metadata.annotations.owner}')).toBe('another team')
      expect(await stored('svc/story', '{.spec.ports[*].port} {.spec.ports[0].targetPort}')).toBe('80 8080')
    })

    it('changes custom kinds by a merge patch', async () => {
      expect(await kubectl.pipe(accessKey('applied', { displayName: 'One', ttl: 60 }), 'apply')).toEqual(
        printed(`${key}/applied created`),
      )
      const second = accessKey('applied', { displayName: 'Two' })
      expect(await kubectl.pipe(second, 'apply')).toEqual(printed(`${key}/applied configured`))
      expect(await kubectl.pipe(second, 'apply')).toEqual(printed(`${key}/applied unchanged`))
      expect(await stored('oak/applied', '{.spec} {.metadata.generation}')).toBe('{"displayName":"Two"} 2')
    })

    it('adopts objects that were created otherwise, with a warning', async () => {
      await kubectl.run('create configmap adopted --from-literal=a=1')
      const { code, stdout, stderr } = await kubectl.pipe(configMap('adopted', { a: '2' }), 'apply')
      expect([code, stdout]).toEqual([0, 'configmap/adopted configured\n'])
      expect(stderr).toMatch(/^Warning: resource configmaps\/adopted is missing the .*last-applied-configuration/)
      expect(await kubectl.run('apply view-last-applied cm/adopted -o json')).toEqual(
        expect.objectContaining({ code: 0, stdout: expect.stringContaining('"a": "2"') }),
      )
    })

    it('shows the response of the server on a dry run', async () => {
      const input = configMap('rehearsed', { a: '1' })
      expect(await kubectl.pipe(input, 'apply --dry-run=server')).toEqual(
        printed('configmap/rehearsed created (server dry run)'),
      )
      const invalid = configMap('Rehearsed', { a: '1' })
      expect((await kubectl.pipe(invalid, 'apply --dry-run=server')).stderr).toContain(
        'The ConfigMap "Rehearsed" is invalid: metadata.name: Invalid value: "Rehearsed": a lowercase RFC 1123 subdomain',
      )
      expect((await kubectl.run('get cm rehearsed')).code).toBe(1)
    })

    it('with --prune deletes objects that are no longer in the input', async () => {
      const labeled = (name: string) => configMap(name, { a: '1' }, { labels: { set: 'pruned' } })
      await kubectl.pipe(listOf(labeled('stays'), labeled('goes')), 'apply')
      const allowlist = kubectl.minor < 26 ? '--prune-whitelist' : '--prune-allowlist'
      const words = `apply -l set=pruned --prune ${allowlist}=core/v1/ConfigMap`
      const { stdout } = await kubectl.pipe(labeled('stays'), words)
      expect(stdout).toBe('configmap/stays unchanged\nconfigmap/goes pruned\n')
      expect(await kubectl.run('get cm -l set=pruned -o name')).toEqual(printed('configmap/stays'))
    })
  })

  describe('diff', () => {
    it('shows what an apply would change, without changing it', async () => {
      await kubectl.pipe(service('compared', [http, https]), 'apply')
      const same = await kubectl.pipe(service('compared', [http, https]), 'diff')
      expect(same).toEqual(printed())
      const { code, stdout } = await kubectl.pipe(service('compared', [http]), 'diff')
      expect(code).toBe(1)
      expect(changedLines(stdout)).toEqual(expect.arrayContaining(['-  - name: https', '-    port: 443']))
      expect(await kubectl.pipe(service('compared', [http, https]), 'diff')).toEqual(printed())
    })

    it('shows a new object completely', async () => {
      const { code, stdout } = await kubectl.pipe(accessKey('compared', { displayName: 'New' }), 'diff')
      expect(code).toBe(1)
      expect(changedLines(stdout)).toEqual(
        expect.arrayContaining(['+kind: OwnedAccessKey', '+  name: compared', '+  displayName: New']),
      )
      expect((await kubectl.run('get oak compared')).code).toBe(1)
    })

    it('works on the server too', async () => {
      await kubectl.pipe(configMap('compared', { a: '1' }), 'apply --server-side')
      const { code, stdout } = await kubectl.pipe(configMap('compared', { a: '2' }), 'diff --server-side')
      expect(code).toBe(1)
      expect(changedLines(stdout)).toEqual(expect.arrayContaining(['-  a: "1"', '+  a: "2"']))
    })

    it('reports errors of the server', async () => {
      const { code, stderr } = await kubectl.pipe(service('compared', [{ port: 70_000 }]), 'diff')
      expect(code).toBeGreaterThan(1)
      expect(stderr).toContain('spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive')
    })
  })

  describe('apply on the server', () => {
    const stored = async (object: string, jsonpath: string) =>
      (await kubectl.run(`get ${object}`, '-o', `jsonpath=${jsonpath}`)).stdout

    it('creates, and returns the same when nothing changes', async () => {
      const input = configMap('same', { a: '1' })
      expect(await kubectl.pipe(input, 'apply --server-side')).toEqual(printed('configmap/same serverside-applied'))
      const version = await stored('cm/same', '{.metadata.resourceVersion}')
      expect(await kubectl.pipe(input, 'apply --server-side')).toEqual(printed('configmap/same serverside-applied'))
      expect(await stored('cm/same', '{.metadata.resourceVersion}')).toBe(version)
    })

    it('removes fields that this manager no longer applies', async () => {
      await kubectl.pipe(configMap('pruned', { a: '1', b: '2' }), 'apply --server-side --field-manager=one')
      await kubectl.pipe(configMap('pruned', { c: '3' }), 'apply --server-side --field-manager=two')
      await kubectl.pipe(configMap('pruned', { a: '1' }), 'apply --server-side --field-manager=one')
      expect(await stored('cm/pruned', '{.data}')).toBe('{"a":"1","c":"3"}')
    })

    it('refuses to take a field from another manager, and names both', async () => {
      await kubectl.pipe(configMap('contested', { a: '1' }), 'apply --server-side --field-manager=one')
      const { code, stdout, stderr } = await kubectl.pipe(
        configMap('contested', { a: '2' }),
        'apply --server-side --field-manager=two',
      )
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^error: Apply failed with 1 conflict: conflict with "one": \.data\.a\n/)
      expect(stderr).toContain('please re-run the apply\n  command with the `--force-conflicts` flag')
      expect(await stored('cm/contested', '{.data.a}')).toBe('1')
    })

    it('lists every conflicting field', async () => {
      const scope = { projects: [{ project: 'p' }] }
      await kubectl.pipe(
        accessKey('contested', { displayName: 'One', ttl: 1, scope }),
        'apply --server-side --field-manager=one',
      )
      const { stderr } = await kubectl.pipe(
        accessKey('contested', { displayName: 'Two', ttl: 2, scope }),
        'apply --server-side --field-manager=two',
      )
      expect(stderr).toMatch(
        /^error: Apply failed with 2 conflicts: conflicts with "one":\n- \.spec\.displayName\n- \.spec\.ttl\n/,
      )
    })

    it('takes it with force, and then the other manager is refused', async () => {
      const apply = (value: string, flags: string) =>
        kubectl.pipe(configMap('taken', { a: value }), `apply --server-side ${flags}`)
      await apply('1', '--field-manager=one')
      expect(await apply('2', '--field-manager=two --force-conflicts')).toEqual(
        printed('configmap/taken serverside-applied'),
      )
      expect(await stored('cm/taken', '{.data.a}')).toBe('2')
      expect((await apply('1', '--field-manager=one')).stderr).toContain('conflict with "two": .data.a')
      expect(await apply('2', '--field-manager=one')).toEqual(printed('configmap/taken serverside-applied'))
    })

    it('names an editor by its API version', async () => {
      await kubectl.run('create configmap edited --from-literal=a=1')
      const { stderr } = await kubectl.pipe(configMap('edited', { a: '2' }), 'apply --server-side')
      expect(stderr).toContain('conflict with "kubectl-create" using v1: .data.a')
    })

    it('merges lists by their keys', async () => {
      await kubectl.pipe(service('merged', [{ ...http, protocol: 'TCP' }]), 'apply --server-side --field-manager=one')
      await kubectl.pipe(service('merged', [{ ...https, protocol: 'TCP' }]), 'apply --server-side --field-manager=two')
      expect(await stored('svc/merged', '{.spec.ports[*].name}')).toBe('http https')
    })

    it('refuses unknown fields', async () => {
      const { code, stderr } = await kubectl.pipe(
        { ...configMap('unknown', {}), datas: {} },
        'apply --server-side --validate=false',
      )
      expect([code, stderr]).toEqual([
        1,
        'Error from server (BadRequest): failed to create typed patch object (default/unknown; /v1, Kind=ConfigMap): .datas: field not declared in schema\n',
      ])
    })

    kubectl.since(26, 'taking over what client-side apply wrote')(
      'takes over from apply on the client and prunes what that had applied',
      async () => {
        await kubectl.pipe(configMap('migrated', { a: '1', b: '2' }), 'apply')
        const second = await kubectl.pipe(configMap('migrated', { a: '3' }), 'apply --server-side')
        expect(second).toEqual(printed('configmap/migrated serverside-applied'))
        expect(await stored('cm/migrated', '{.data}')).toBe('{"a":"3"}')
        const managers = await kubectl.run(
          'get cm migrated --show-managed-fields',
          '-o',
          'jsonpath={.metadata.managedFields[*].manager}',
        )
        expect(managers.stdout.split(' ').sort()).toEqual(['kubectl', 'kubectl-last-applied'])
      },
    )

    it('removes a manager with an empty configuration', async () => {
      await kubectl.pipe(configMap('left', { a: '1' }), 'apply --server-side --field-manager=one')
      const empty = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'left' } }
      await kubectl.pipe(empty, 'apply --server-side --field-manager=one')
      expect(await kubectl.pipe(configMap('left', { a: '2' }), 'apply --server-side --field-manager=two')).toEqual(
        printed('configmap/left serverside-applied'),
      )
    })

    it('needs permission', async () => {
      const alone = await kubectl.pipe(configMap('forbidden', {}), 'apply --server-side --as=alice')
      expect(alone).toEqual(
        refused(
          'Error from server (Forbidden): configmaps "forbidden" is forbidden: User "alice" cannot patch resource "configmaps" in API group "" in the namespace "default"',
        ),
      )
    })
  })
})
