import { describe, expect, it } from 'vitest'
import { accessKey, configMap, listOf, ownedBy } from './objects.ts'
import { deleted, printed, refused } from './outcome.ts'
import { eachKubectl } from './suite.ts'

eachKubectl('delete and wait', (kubectl) => {
  describe('delete', () => {
    it('one, several, by label, all of a kind, and from a file', async () => {
      await kubectl.run('create namespace emptied')
      const named = (...names: readonly string[]) =>
        listOf(...names.map((name) => accessKey(name, {}, { labels: { set: 'emptied' } })))
      await kubectl.pipe(named('a', 'b', 'c', 'd', 'e'), 'create')
      const key = 'ownedaccesskey.management.platform.internal'
      const gone = (...names: readonly string[]) => deleted(...names.map((name) => `${key} "${name}"`))
      expect(await kubectl.run('delete oak a')).toEqual(gone('a'))
      expect(await kubectl.run('delete oak/b oak/c')).toEqual(gone('b', 'c'))
      expect(await kubectl.pipe(named('d'), 'delete')).toEqual(gone('d'))
      expect(await kubectl.run('delete oak -l set=emptied')).toEqual(gone('e'))
      await kubectl.run('create sa one -n emptied')
      const all = await kubectl.run('delete sa --all -n emptied')
      expect(all.stdout).toMatch(/^serviceaccount "default" deleted.*\nserviceaccount "one" deleted.*\n$/)
      expect(await kubectl.run('get oak -o name')).toEqual(printed())
    })

    it('nothing, with or without an error', async () => {
      const [missing, quiet, unnamed, unmatched] = await Promise.all([
        kubectl.run('delete cm nothing'),
        kubectl.run('delete cm nothing --ignore-not-found'),
        kubectl.run('delete cm'),
        kubectl.run('delete cm -l set=nothing'),
      ])
      expect(missing).toEqual(refused('Error from server (NotFound): configmaps "nothing" not found'))
      expect(quiet).toEqual(printed())
      expect([unnamed.code, unnamed.stderr]).toEqual([
        1,
        expect.stringMatching(/^error: resource\(s\) were provided, but no name/),
      ])
      expect([unmatched.code, unmatched.stdout + unmatched.stderr]).toEqual([0, 'No resources found\n'])
    })

    it('waits for finalizers, and returns when the last one is gone', async () => {
      const held = { finalizers: ['example.com/hold'] }
      await kubectl.pipe(configMap('held', {}, held), 'create')
      const impatient = await kubectl.run('delete cm held --timeout=1s')
      expect(impatient).toEqual({
        code: 1,
        stdout: expect.stringMatching(/^configmap "held" deleted/),
        stderr: 'error: timed out waiting for the condition on configmaps/held\n',
      })
      const { stdout } = await kubectl.run('get cm held', '-o', 'jsonpath={.metadata.deletionTimestamp}')
      expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      expect(
        await kubectl.run('patch cm held --type=merge -p', '{"metadata":{"finalizers":["example.com/new"]}}'),
      ).toEqual(
        refused(
          'The ConfigMap "held" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/new"}',
        ),
      )
      const waiting = kubectl.start('delete cm held -v=6')
      await waiting.untilItWatches()
      const release = '[{"op":"remove","path":"/metadata/finalizers"}]'
      expect(await kubectl.run('patch cm held --type=json -p', release)).toEqual(printed('configmap/held patched'))
      expect((await waiting.outcome).code).toBe(0)
      expect((await kubectl.run('get cm held')).code).toBe(1)
    })

    it('a namespace with its content, but not those of the system', async () => {
      await kubectl.run('create namespace doomed')
      await kubectl.pipe(configMap('inside', {}, { namespace: 'doomed' }), 'create')
      expect(await kubectl.run('delete namespace doomed')).toEqual(deleted('namespace "doomed"'))
      expect(await kubectl.run('get cm inside -n doomed')).toEqual(
        refused('Error from server (NotFound): namespaces "doomed" not found'),
      )
      expect(await kubectl.run('delete namespace default')).toEqual(
        refused('Error from server (Forbidden): namespaces "default" is forbidden: this namespace may not be deleted'),
      )
    })

    it('a Pod, at once without a kubelet', async () => {
      await kubectl.run('run doomed --image=nginx')
      expect(await kubectl.run('delete pod doomed --now')).toEqual(deleted('pod "doomed"'))
      const again = await kubectl.run('delete pod doomed --force --grace-period=0')
      expect(again.stderr).toContain('Error from server (NotFound): pods "doomed" not found\n')
    })
  })

  describe('delete an owner', () => {
    /** A ConfigMap and another one that belongs to it. */
    async function family(name: string): Promise<void> {
      await kubectl.run(`create configmap ${name}`)
      const { stdout: uid } = await kubectl.run(`get cm ${name}`, '-o', 'jsonpath={.metadata.uid}')
      const { code } = await kubectl.pipe(configMap(`${name}-child`, {}, ownedBy({ name, uid })), 'create')
      expect(code).toBe(0)
    }

    it('--cascade=background deletes dependents soon', async () => {
      await family('background')
      expect(await kubectl.run('delete cm background --cascade=background')).toEqual(deleted('configmap "background"'))
      // An old kubectl fails if the object is deleted before it looks, so the answer is not checked.
      await kubectl.run('wait --for=delete cm/background-child --timeout=120s')
      expect((await kubectl.run('get cm background-child')).code).toBe(1)
    })

    it('--cascade=foreground deletes dependents first', async () => {
      await family('foreground')
      await kubectl.run('patch cm foreground-child --type=merge -p', '{"metadata":{"finalizers":["example.com/hold"]}}')
      const waiting = await kubectl.run('delete cm foreground --cascade=foreground --wait=false')
      expect(waiting).toEqual(deleted('configmap "foreground"'))
      const parent = await kubectl.run('get cm foreground', '-o', 'jsonpath={.metadata.finalizers}')
      expect(parent.stdout).toBe('["foregroundDeletion"]')
      const release = '[{"op":"remove","path":"/metadata/finalizers"}]'
      await kubectl.run('patch cm foreground-child --type=json -p', release)
      await kubectl.run('wait --for=delete cm/foreground --timeout=120s')
      expect(await kubectl.run('get cm foreground foreground-child --ignore-not-found')).toEqual(printed())
    })

    it('--cascade=orphan keeps dependents without an owner', async () => {
      await family('orphan')
      expect(await kubectl.run('delete cm orphan --cascade=orphan')).toEqual(deleted('configmap "orphan"'))
      const child = await kubectl.run(
        'get cm orphan-child',
        '-o',
        'jsonpath={.metadata.name}{.metadata.ownerReferences}',
      )
      expect(child).toEqual({ code: 0, stdout: 'orphan-child', stderr: '' })
    })
  })

  describe('wait', () => {
    /** Writes the status of a kubelet. */
    function reportReady(name: string) {
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, status }
      return kubectl.pipe(pod, `replace --raw /api/v1/namespaces/default/pods/${name}/status`)
    }

    it('for a deletion', async () => {
      await kubectl.pipe(configMap('leaving', {}, { finalizers: ['example.com/hold'] }), 'create')
      await kubectl.run('delete cm leaving --wait=false')
      expect(await kubectl.run('wait --for=delete cm/leaving --timeout=1s')).toEqual(
        refused('error: timed out waiting for the condition on configmaps/leaving'),
      )
      const waiting = kubectl.start('wait --for=delete cm/leaving --timeout=120s -v=6')
      await waiting.untilItWatches()
      await kubectl.run('patch cm leaving --type=merge -p', '{"metadata":{"finalizers":null}}')
      expect(await waiting.outcome).toMatchObject({ code: 0, stdout: 'configmap/leaving condition met\n' })
    })

    it('for a condition', async () => {
      await kubectl.run('run waited --image=nginx')
      expect(await kubectl.run('wait --for=condition=Ready pod/waited --timeout=1s')).toEqual(
        refused('error: timed out waiting for the condition on pods/waited'),
      )
      const waiting = kubectl.run('wait --for=condition=Ready pod/waited --timeout=120s')
      expect((await reportReady('waited')).code).toBe(0)
      expect(await waiting).toEqual(printed('pod/waited condition met'))
    })

    kubectl.since(23, '--for=jsonpath')('for the value of a field', async () => {
      await kubectl.run('run valued --image=nginx')
      const waiting = kubectl.run('wait pod/valued --timeout=120s', '--for=jsonpath={.status.phase}=Running')
      await reportReady('valued')
      expect(await waiting).toEqual(printed('pod/valued condition met'))
    })

    it('for nothing', async () => {
      expect((await kubectl.run('wait --for=condition=Ready pod/nothing --timeout=1s')).stderr).toMatch(
        /^Error from server \(NotFound\): pods "nothing" not found\n$/,
      )
    })
  })
})
