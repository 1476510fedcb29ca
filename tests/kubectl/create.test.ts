import { expect, it } from 'vitest'
import { accessKey, configMap, listOf } from './objects.ts'
import { cellsOf, type Outcome, printed, refused } from './outcome.ts'
import { eachKubectl } from './suite.ts'

const rbac = 'rbac.authorization.k8s.io'

/** Every generator, with the expected output and a value that must have been stored. */
const generators: readonly [words: string, created: string, jsonpath: string, stored: string][] = [
  ['namespace made', 'namespace/made', '{.status.phase} {.spec.finalizers[0]}', 'Active kubernetes'],
  ['configmap made --from-literal=a=1 --from-literal=b=2', 'configmap/made', '{.data}', '{"a":"1","b":"2"}'],
  ['secret generic made --from-literal=p=q', 'secret/made', '{.type} {.data.p}', 'Opaque cQ=='],
  [
    'secret docker-registry pull --docker-server=h --docker-username=u --docker-password=p',
    'secret/pull',
    '{.type}',
    'kubernetes.io/dockerconfigjson',
  ],
  ['serviceaccount robot', 'serviceaccount/robot', '{.metadata.namespace}', 'default'],
  ['role made --verb=get,list --resource=pods', `role.${rbac}/made`, '{.rules[0].verbs}', '["get","list"]'],
  [
    'rolebinding made --role=made --serviceaccount=default:robot --user=bob',
    `rolebinding.${rbac}/made`,
    '{.roleRef.name} {.subjects[*].kind}',
    'made User ServiceAccount',
  ],
  [
    'clusterrole made --verb=get --non-resource-url=/made',
    `clusterrole.${rbac}/made`,
    '{.rules[0].nonResourceURLs}',
    '["/made"]',
  ],
  [
    'clusterrolebinding made --clusterrole=made --group=ops',
    `clusterrolebinding.${rbac}/made`,
    '{.subjects[0].kind} {.subjects[0].name}',
    'Group ops',
  ],
  ['service clusterip web --tcp=80:8080', 'service/web', '{.spec.type} {.spec.ports[0].targetPort}', 'ClusterIP 8080'],
  ['service nodeport node --tcp=80:8080', 'service/node', '{.spec.type} {.spec.ports[0].protocol}', 'NodePort TCP'],
  ['service loadbalancer edge --tcp=80:8080', 'service/edge', '{.spec.type}', 'LoadBalancer'],
  [
    'service externalname far --external-name=example.com',
    'service/far',
    '{.spec.type} {.spec.externalName}{.spec.clusterIP}',
    'ExternalName example.com',
  ],
]

/** Objects that kubectl can create and this server does not serve; for missing groups the answer names the resource. */
const unserved: readonly [words: string, complaint: string][] = [
  ['deployment nothing --image=nginx', 'the server could not find the requested resource (post deployments.apps)'],
  ['job nothing --image=nginx', 'the server could not find the requested resource (post jobs.batch)'],
  ['quota nothing --hard=pods=1', 'error: failed to create quota: the server could not find the requested resource'],
]

eachKubectl('create', (kubectl) => {
  const stored = (object: string, jsonpath: string) => kubectl.run(`get ${object}`, '-o', `jsonpath=${jsonpath}`)

  it.each(generators)('create %s', async (words, created, jsonpath, expected) => {
    expect(await kubectl.run(`create ${words}`)).toEqual(printed(`${created} created`))
    expect((await stored(created, jsonpath)).stdout).toBe(expected)
  })

  kubectl.since(24, 'create token')('mints a token that the server knows', async () => {
    await kubectl.run('create serviceaccount minter')
    const token = await kubectl.run('create token minter --duration=10m')
    expect(token).toEqual({ code: 0, stdout: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+\n?$/), stderr: '' })
    const [, claims = ''] = token.stdout.split('.')
    const { sub, exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    expect([sub, exp - iat]).toEqual(['system:serviceaccount:default:minter', 600])
    const asMinter = await kubectl.asAlice(`--token=${token.stdout.trim()} get pods`)
    expect(asMinter.stderr).toContain('User "system:serviceaccount:default:minter" cannot list resource "pods"')
  })

  kubectl.since(32, 'sending protobuf')(
    'sends protobuf for builtin kinds, and JSON for what it read from a file',
    async () => {
      const typed = await kubectl.run('create configmap binary --from-literal=a=1 -v=8')
      expect(typed.stderr).toMatch(/Content-Type: application\/vnd\.kubernetes\.protobuf/)
      const untyped = await kubectl.pipe(configMap('text', { a: '1' }), 'create -v=8')
      expect(untyped.stderr).not.toMatch(/Content-Type: application\/vnd\.kubernetes\.protobuf/)
      const same = await Promise.all([stored('cm/binary', '{.data}'), stored('cm/text', '{.data}')])
      expect(same.map(({ stdout }) => stdout)).toEqual(['{"a":"1"}', '{"a":"1"}'])
    },
  )

  it.each(unserved)('create %s reports that it is not served', async (words, complaint) => {
    const { code, stderr } = await kubectl.run(`create ${words}`)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${complaint}\n`)])
  })

  it('from a file, from several documents and from a list', async () => {
    await kubectl.writeInHome(
      'zero.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: zero}\ndata: {on: "yes"}\n',
    )
    expect(await kubectl.run('create -f zero.yaml')).toEqual(printed('configmap/zero created'))
    const documents = `---\n${JSON.stringify(configMap('one', {}))}\n---\n${JSON.stringify(configMap('two', {}))}\n`
    const list = listOf(configMap('three', {}), accessKey('three', { displayName: 'Three' }))
    expect(await kubectl.pipe(documents, 'create')).toEqual(printed('configmap/one created', 'configmap/two created'))
    expect(await kubectl.pipe(list, 'create -o name')).toEqual(
      printed('configmap/three', 'ownedaccesskey.management.platform.internal/three'),
    )
  })

  it('with a generated name', async () => {
    const generated = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'some-' } }
    const { code, stdout } = await kubectl.pipe(generated, 'create')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^configmap\/some-[a-z0-9]{5} created\n$/)])
  })

  it('as a dry run, on either side', async () => {
    expect(await kubectl.run('create configmap dry --dry-run=server')).toEqual(
      printed('configmap/dry created (server dry run)'),
    )
    expect(await kubectl.run('create configmap dry --dry-run=client -o name')).toEqual(printed('configmap/dry'))
    expect(await kubectl.run('get configmap dry')).toEqual(
      refused('Error from server (NotFound): configmaps "dry" not found'),
    )
  })

  it('run and expose', async () => {
    expect(await kubectl.run('run nginx --image=nginx --port=80')).toEqual(printed('pod/nginx created'))
    expect(await kubectl.run('expose pod nginx')).toEqual(printed('service/nginx exposed'))
    const rows = cellsOf((await kubectl.run('get svc nginx -o wide')).stdout)
    expect(rows[1]).toEqual([
      'nginx',
      'ClusterIP',
      expect.stringMatching(/^10\.96\./),
      '<none>',
      '80/TCP',
      '<age>',
      'run=nginx',
    ])
  })

  it('refuses a duplicate name', async () => {
    await kubectl.run('create namespace twice')
    const again = await kubectl.run('create namespace twice')
    expect(again).toEqual(refused('Error from server (AlreadyExists): namespaces "twice" already exists'))
    const inNowhere: Outcome = await kubectl.run('-n nowhere create configmap a')
    expect([inNowhere.code, inNowhere.stderr]).toEqual([1, expect.stringContaining('namespaces "nowhere" not found\n')])
  })
})
