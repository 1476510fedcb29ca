import { describe, expect, it } from 'vitest'
import { configMap } from './objects.ts'
import { cellsOf, printed, refused } from './outcome.ts'
import { eachKubectl } from './suite.ts'

eachKubectl('access', (kubectl) => {
  describe('auth can-i', () => {
    const no = { code: 1, stdout: 'no\n', stderr: '' }

    it('answers an administrator, and a user without rights', async () => {
      const [admin, everything, alice, path, closed] = await Promise.all([
        kubectl.run('auth can-i create configmaps'),
        kubectl.run('auth can-i * *'),
        kubectl.asAlice('auth can-i create configmaps'),
        kubectl.asAlice('auth can-i get /healthz'),
        kubectl.asAlice('auth can-i get /metrics'),
      ])
      expect(admin).toEqual(printed('yes'))
      expect(everything).toEqual(printed('yes'))
      expect(alice).toEqual(no)
      expect(path).toEqual(printed('yes'))
      expect(closed).toEqual(no)
    })

    it('follows roles and bindings at once', async () => {
      await kubectl.run('create namespace granted')
      const may = (words: string) => kubectl.asAlice(`auth can-i ${words}`)
      expect(await may('list pods -n granted')).toEqual(no)
      await kubectl.run('create role reader -n granted --verb=get,list --resource=pods,services/status')
      await kubectl.run('create rolebinding readers -n granted --role=reader --user=alice')
      const answers = await Promise.all([
        may('list pods -n granted'),
        may('list pods -n default'),
        may('delete pods -n granted'),
        may('get services --subresource=status -n granted'),
        may('get services -n granted'),
        may('list pods -A'),
      ])
      expect(answers.map(({ stdout }) => stdout.trim())).toEqual(['yes', 'no', 'no', 'yes', 'no', 'no'])
      expect(await kubectl.asAlice('get pods -n granted')).toEqual({
        code: 0,
        stdout: '',
        stderr: 'No resources found in granted namespace.\n',
      })
      await kubectl.run('delete rolebinding readers -n granted')
      expect(await may('list pods -n granted')).toEqual(no)
    })

    it('lists the rights of the user', async () => {
      await kubectl.run('create namespace listed')
      await kubectl.run('create role namer -n listed --verb=get --resource=configmaps --resource-name=one')
      await kubectl.run('create rolebinding namers -n listed --role=namer --group=dev')
      const { code, stdout } = await kubectl.asAlice('auth can-i --list -n listed')
      expect(code).toBe(0)
      const rows = cellsOf(stdout)
      expect(rows[0]).toEqual(['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'])
      expect(rows).toContainEqual(['configmaps', '[]', '[one]', '[get]'])
      expect(rows).toContainEqual(['selfsubjectaccessreviews.authorization.k8s.io', '[]', '[]', '[create]'])
      expect(rows).toContainEqual(['', '[/healthz]', '[]', '[get]'])
    })

    it('answers for other users to callers who may impersonate them', async () => {
      const [asUser, asGroup, asAccount, refusedToAlice] = await Promise.all([
        kubectl.run('auth can-i list pods --as=bob'),
        kubectl.run('auth can-i list pods --as=bob --as-group=system:masters'),
        kubectl.run('auth can-i list pods --as=system:serviceaccount:default:default'),
        kubectl.asAlice('auth can-i list pods --as=bob'),
      ])
      expect([asUser, asGroup, asAccount]).toEqual([no, printed('yes'), no])
      expect(refusedToAlice.code).toBe(1)
      expect(refusedToAlice.stderr).toContain(
        'Error from server (Forbidden): users "bob" is forbidden: User "alice" cannot impersonate resource "users" in API group "" at the cluster scope',
      )
    })

    kubectl.since(28, 'auth whoami by the stable API')('auth whoami tells who is asking', async () => {
      const [admin, alice, bob] = await Promise.all([
        kubectl.run('auth whoami'),
        kubectl.asAlice('auth whoami -o', 'jsonpath={.status.userInfo}'),
        kubectl.run('auth whoami --as=bob --as-group=g1'),
      ])
      expect(cellsOf(admin.stdout)).toEqual([
        ['ATTRIBUTE', 'VALUE'],
        ['Username', 'admin'],
        ['UID', 'admin-uid'],
        ['Groups', '[system:masters system:authenticated]'],
      ])
      expect(JSON.parse(alice.stdout)).toEqual({
        username: 'alice',
        uid: 'alice-uid',
        groups: ['dev', 'system:authenticated'],
      })
      expect(cellsOf(bob.stdout).slice(1)).toEqual([
        ['Username', 'bob'],
        ['Groups', '[g1 system:authenticated]'],
      ])
    })
  })

  describe('a user without rights', () => {
    const forbidden = (text: string) => refused(`Error from server (Forbidden): ${text}`)

    it.each([
      [
        'get cm',
        'configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" in the namespace "default"',
      ],
      [
        'get cm kube-root-ca.crt',
        'configmaps "kube-root-ca.crt" is forbidden: User "alice" cannot get resource "configmaps" in API group "" in the namespace "default"',
      ],
      [
        'get pods -A',
        'pods is forbidden: User "alice" cannot list resource "pods" in API group "" at the cluster scope',
      ],
      [
        'get oak',
        'ownedaccesskeys.management.platform.internal is forbidden: User "alice" cannot list resource "ownedaccesskeys" in API group "management.platform.internal" at the cluster scope',
      ],
      [
        'delete pod nothing',
        'pods "nothing" is forbidden: User "alice" cannot delete resource "pods" in API group "" in the namespace "default"',
      ],
      ['get --raw /metrics', 'forbidden: User "alice" cannot get path "/metrics"'],
    ])('%s is forbidden', async (words, text) => {
      expect(await kubectl.asAlice(words)).toEqual(forbidden(text))
    })

    it('may not create, but may read discovery', async () => {
      const [create, resources, version] = await Promise.all([
        kubectl.asAlice('create configmap denied'),
        kubectl.asAlice('api-resources -o name'),
        kubectl.asAlice('get --raw /version'),
      ])
      expect(create.stderr).toContain(
        'configmaps is forbidden: User "alice" cannot create resource "configmaps" in API group "" in the namespace "default"',
      )
      expect(resources.stdout).toContain('configmaps\n')
      expect(version.code).toBe(0)
    })

    it('cannot grant rights that it lacks', async () => {
      await kubectl.run('create role granter --verb=create --resource=roles.rbac.authorization.k8s.io')
      await kubectl.run('create rolebinding granters --role=granter --user=carol')
      const { code, stderr } = await kubectl.run('create role wide --verb=get --resource=secrets --as=carol')
      expect(code).toBe(1)
      expect(stderr).toContain(
        'user "carol" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
      )
    })

    it('gets an error for an unknown token', async () => {
      const { code, stderr } = await kubectl.run('get cm --token=unknown')
      expect([code, stderr]).toEqual([1, expect.stringContaining('(Unauthorized)')])
    })

    it('reconciles roles', async () => {
      const role = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'reconciled', namespace: 'default' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      }
      const first = await kubectl.pipe(role, 'auth reconcile')
      expect(first.stdout).toMatch(/^role\.rbac\.authorization\.k8s\.io\/reconciled reconciled\n/)
      expect(await kubectl.pipe(configMap('none', {}), 'auth reconcile')).toEqual(printed())
    })
  })
})
