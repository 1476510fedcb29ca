import { beforeAll, describe, expect, it } from 'vitest'
import { accessKey, listOf, service } from './objects.ts'
import { cellsOf, printed, refused } from './outcome.ts'
import { eachKubectl } from './suite.ts'

const ports = [{ port: 80 }]

const labeled = (name: string, tier: string) => service(name, ports, { namespace: 'shown', labels: { tier } })
const published = {
  ...service('c', [], { namespace: 'shown' }),
  spec: { type: 'NodePort', ports: [{ port: 3 }] },
}

eachKubectl('get', (kubectl) => {
  describe('get as a table', () => {
    beforeAll(async () => {
      await kubectl.run('create namespace shown')
      const created = await kubectl.pipe(listOf(labeled('a', 'front'), labeled('b', 'back'), published), 'create')
      expect(created).toEqual(printed('service/a created', 'service/b created', 'service/c created'))
    })

    it('prints columns, more with wide, and ages', async () => {
      const [plain, wide, single] = await Promise.all([
        kubectl.run('get svc -n shown'),
        kubectl.run('get svc -n shown -o wide'),
        kubectl.run('get svc a -n shown --no-headers'),
      ])
      const address = expect.stringMatching(/^10\.96\.\d+\.\d+$/)
      expect(cellsOf(plain.stdout)).toEqual([
        ['NAME', 'TYPE', 'CLUSTER-IP', 'EXTERNAL-IP', 'PORT(S)', 'AGE'],
        ['a', 'ClusterIP', address, '<none>', '80/TCP', '<age>'],
        ['b', 'ClusterIP', address, '<none>', '80/TCP', '<age>'],
        ['c', 'NodePort', address, '<none>', expect.stringMatching(/^3:3\d{4}\/TCP$/), '<age>'],
      ])
      expect(cellsOf(wide.stdout)[1]?.at(-1)).toBe('app=a')
      expect(cellsOf(wide.stdout)[3]?.at(-1)).toBe('<none>')
      expect(single.stdout).toMatch(/^a +ClusterIP +10\.96\.\d+\.\d+ +<none> +80\/TCP +\d+s\n$/)
    })

    it('shows labels, as a column or one by one, and selects by them', async () => {
      const get = (words: string, ...verbatim: readonly string[]) =>
        kubectl.run(`get svc -n shown ${words}`, ...verbatim)
      const [shown, single, ...selected] = await Promise.all([
        get('--show-labels'),
        get('-L tier'),
        get('-o name -l tier=front'),
        get('-o name -l tier!=front'),
        get('-o name -l', 'tier in (front,back)'),
        get('-o name -l !tier'),
        get('-o name -l tier,tier!=back'),
      ])
      expect(cellsOf(shown.stdout).map((row) => row.at(-1))).toEqual(['LABELS', 'tier=front', 'tier=back', '<none>'])
      expect(cellsOf(single.stdout).map((row) => row.at(-1))).toEqual(['TIER', 'front', 'back', ''])
      expect(selected.map(({ stdout }) => stdout.replaceAll('service/', '').trim().split('\n'))).toEqual([
        ['a'],
        ['b', 'c'],
        ['a', 'b'],
        ['c'],
        ['a'],
      ])
    })

    it('selects by fields, and refuses unknown fields and selectors', async () => {
      const get = (words: string, ...verbatim: readonly string[]) =>
        kubectl.run(`get svc -n shown ${words}`, ...verbatim)
      expect(await get('-o name --field-selector metadata.name=b')).toEqual(printed('service/b'))
      expect(await get('-o name --field-selector spec.type!=ClusterIP')).toEqual(printed('service/c'))
      expect(await get('--field-selector spec.bogus=1')).toEqual(
        refused(
          'Error from server (BadRequest): Unable to find "/v1, Resource=services" that match label selector "", field selector "spec.bogus=1": field label not supported: spec.bogus',
        ),
      )
      expect(await get('-l', 'a in b')).toEqual(
        refused(
          'Error from server (BadRequest): Unable to find "/v1, Resource=services" that match label selector "a in b", field selector "": unable to parse requirement: found \'b\' expected: \'(\'',
        ),
      )
    })

    it('sorts, and reads in chunks', async () => {
      const sorted = await kubectl.run('get svc -n shown', '--sort-by={.spec.ports[0].port}')
      expect(cellsOf(sorted.stdout).map(([name]) => name)).toEqual(['NAME', 'c', 'a', 'b'])
      const chunked = await kubectl.run('get svc -n shown --chunk-size=1')
      expect(cellsOf(chunked.stdout).map(([name]) => name)).toEqual(['NAME', 'a', 'b', 'c'])
      const names = await kubectl.run('get svc -n shown --chunk-size=2 -o name')
      expect(names).toEqual(printed('service/a', 'service/b', 'service/c'))
    })

    it('reads all namespaces, several kinds, and a category', async () => {
      await kubectl.run('run nginx -n shown --image=nginx')
      const [everywhere, kinds, all] = await Promise.all([
        kubectl.run('get svc -A --field-selector metadata.name=a'),
        kubectl.run('get svc,sa -n shown -o name'),
        kubectl.run('get all -n shown'),
      ])
      const rows = cellsOf(everywhere.stdout)
      expect(rows[0]?.slice(0, 2)).toEqual(['NAMESPACE', 'NAME'])
      expect(rows.some(([namespace, name]) => namespace === 'shown' && name === 'a')).toBe(true)
      expect(kinds).toEqual(printed('service/a', 'service/b', 'service/c', 'serviceaccount/default'))
      const [pods, services] = all.stdout.split('\n\n').map(cellsOf)
      expect(pods).toEqual([
        ['NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE'],
        ['pod/nginx', '0/1', 'Pending', '0', '<age>'],
      ])
      expect(services?.map(([name]) => name)).toEqual(['NAME', 'service/a', 'service/b', 'service/c'])
    })

    it('shows an access key', async () => {
      await kubectl.pipe(accessKey('shown', { displayName: 'My key', user: 'alice', type: 'User' }), 'create')
      const { stdout } = await kubectl.run('get oak shown')
      const [header, row] = cellsOf(stdout)
      expect(header).toEqual(['NAME', 'DISPLAY NAME', 'OWNER', 'PHASE', 'EXPIRES', 'LAST ACTIVITY', 'AGE'])
      expect(row?.slice(0, 3)).toEqual(['shown', 'My key', 'alice'])
    })

    it('reports an empty result', async () => {
      const nothing = (where: string) => ({ code: 0, stdout: '', stderr: `No resources found${where}\n` })
      const [namespaced, nowhere, clustered, missing, partly, quiet] = await Promise.all([
        kubectl.run('get secrets'),
        kubectl.run('get pods -n nowhere'),
        kubectl.run('get nodes'),
        kubectl.run('get svc nothing'),
        kubectl.run('get svc/kubernetes cm/nothing -o name'),
        kubectl.run('get svc nothing --ignore-not-found'),
      ])
      expect(namespaced).toEqual(nothing(' in default namespace.'))
      expect(nowhere).toEqual(nothing(' in nowhere namespace.'))
      expect(clustered).toEqual(nothing(''))
      expect(missing).toEqual(refused('Error from server (NotFound): services "nothing" not found'))
      expect(partly).toEqual({
        code: 1,
        stdout: 'service/kubernetes\n',
        stderr: 'Error from server (NotFound): configmaps "nothing" not found\n',
      })
      expect(quiet).toEqual(printed())
    })
  })

  describe('get as data', () => {
    const output = async (format: string) => (await kubectl.run('get svc kubernetes', '-o', format)).stdout

    it.each([
      ['name', 'service/kubernetes\n'],
      ['jsonpath={.metadata.labels.component} {.spec.ports[0].port}', 'apiserver 443'],
      ['go-template={{range .spec.ports}}{{.name}}/{{.protocol}}{{end}}', 'https/TCP'],
      ['custom-columns=N:.metadata.name,X:.spec.nothing', 'N            X\nkubernetes   <none>\n'],
    ])('-o %s', async (format, expected) => {
      expect(await output(format)).toBe(expected)
    })

    it('-o json is the whole object', async () => {
      const { apiVersion, kind, metadata, spec, status } = JSON.parse(await output('json'))
      expect([apiVersion, kind, metadata.name, spec.type]).toEqual(['v1', 'Service', 'kubernetes', 'ClusterIP'])
      expect(status).toEqual({ loadBalancer: {} })
      expect(metadata).toEqual(
        expect.objectContaining({ uid: expect.any(String), resourceVersion: expect.any(String) }),
      )
    })

    it('-o yaml can be applied again', async () => {
      const yaml = await output('yaml')
      expect(yaml).toMatch(/^apiVersion: v1\nkind: Service\nmetadata:\n/)
      expect(await kubectl.pipe(yaml, 'replace')).toEqual(printed('service/kubernetes replaced'))
    })

    it('several objects are a list', async () => {
      const { stdout } = await kubectl.run('get ns default kube-system -o json')
      const { kind, items } = JSON.parse(stdout)
      expect([kind, items.map((item: { kind: string }) => item.kind)]).toEqual(['List', ['Namespace', 'Namespace']])
    })
  })
})
