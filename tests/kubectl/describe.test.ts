import { describe, expect, it } from 'vitest'
import { accessKey, configMap, node, service } from './objects.ts'
import { cellsOf, printed, refused } from './outcome.ts'
import { eachKubectl } from './suite.ts'

eachKubectl('describe', (kubectl) => {
  describe('describe', () => {
    /** The description of an object, with runs of spaces collapsed: the width of columns depends on the version. */
    async function described(object: string): Promise<readonly string[]> {
      const { code, stdout, stderr } = await kubectl.run(`describe ${object}`)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return stdout.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '))
    }

    it('a namespace', async () => {
      expect(await described('ns kube-system')).toEqual(
        expect.arrayContaining([
          'Name: kube-system',
          'Labels: kubernetes.io/metadata.name=kube-system',
          'Status: Active',
        ]),
      )
    })

    it('a service with its endpoints', async () => {
      await kubectl.pipe(service('web', [{ name: 'http', port: 80, targetPort: 8080 }]), 'create')
      const port = { name: 'http', port: 8080, protocol: 'TCP' }
      const metadata = { name: 'web', labels: { 'kubernetes.io/service-name': 'web' } }
      const endpoints = {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata,
        subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [port] }],
      }
      const slice = {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata,
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true } }],
        ports: [port],
      }
      await Promise.all([kubectl.pipe(endpoints, 'create'), kubectl.pipe(slice, 'create')])
      expect(await described('svc web')).toEqual(
        expect.arrayContaining([
          'Name: web',
          'Namespace: default',
          'Selector: app=web',
          'Type: ClusterIP',
          expect.stringMatching(/^IPs?: 10\.96\.\d+\.\d+$/),
          'Port: http 80/TCP',
          'TargetPort: 8080/TCP',
          'Endpoints: 10.1.2.3:8080',
          'Session Affinity: None',
        ]),
      )
    })

    it('a ConfigMap with its data, and a Secret without', async () => {
      await Promise.all([
        kubectl.pipe(
          configMap('plain', { greeting: 'hello' }, { labels: { a: 'b' }, annotations: { c: 'd' } }),
          'create',
        ),
        kubectl.run('create secret generic hidden --from-literal=greeting=hello'),
      ])
      expect(await described('cm plain')).toEqual(
        expect.arrayContaining(['Name: plain', 'Labels: a=b', 'Annotations: c: d', 'greeting:', 'hello']),
      )
      const secret = await described('secret hidden')
      expect(secret).toEqual(expect.arrayContaining(['Name: hidden', 'Type: Opaque', 'greeting: 5 bytes']))
      expect(secret).not.toContain('hello')
    })

    it('a service account, a role and its binding', async () => {
      await kubectl.run('create role reader --verb=get,list --resource=pods')
      await kubectl.run('create rolebinding readers --role=reader --user=bob --serviceaccount=default:default')
      const [account, role, binding] = await Promise.all([
        described('sa default'),
        described('role reader'),
        described('rolebinding readers'),
      ])
      expect(account).toEqual(
        expect.arrayContaining(['Name: default', 'Namespace: default', 'Image pull secrets: <none>']),
      )
      expect(role).toEqual(expect.arrayContaining(['Name: reader', 'pods [] [] [get list]']))
      expect(binding).toEqual(
        expect.arrayContaining(['Kind: Role', 'Name: reader', 'User bob', 'ServiceAccount default default']),
      )
    })

    it('a pod', async () => {
      await kubectl.run('run nginx --image=nginx --port=80')
      expect(await described('pod nginx')).toEqual(
        expect.arrayContaining([
          'Name: nginx',
          'Node: <none>',
          'Labels: run=nginx',
          'Status: Pending',
          'Image: nginx',
          'Port: 80/TCP',
          'QoS Class: BestEffort',
          'Tolerations: node.kubernetes.io/not-ready:NoExecute op=Exists for 300s',
        ]),
      )
    })

    it('a node', async () => {
      await kubectl.pipe(node('described', { labels: { zone: 'a' } }), 'create')
      expect(await described('node described')).toEqual(
        expect.arrayContaining([
          'Name: described',
          'Roles: <none>',
          'Labels: zone=a',
          'Taints: node.kubernetes.io/not-ready:NoSchedule',
          'Unschedulable: false',
          'Non-terminated Pods: (0 in total)',
        ]),
      )
    })

    it('an access key, with the texts of its schema', async () => {
      const spec = { displayName: 'My key', ttl: 60, scope: { projects: [{ project: 'red' }] } }
      await kubectl.pipe(accessKey('described', spec, { labels: { team: 'red' } }), 'create')
      expect(await described('oak described')).toEqual(
        expect.arrayContaining([
          'Name: described',
          'Labels: team=red',
          'API Version: management.platform.internal/v1',
          'Kind: OwnedAccessKey',
          'Display Name: My key',
          'Project: red',
          'Ttl: 60',
          'Events: <none>',
        ]),
      )
    })

    it('several by label, and none', async () => {
      const labels = { labels: { set: 'several' } }
      await Promise.all([
        kubectl.pipe(configMap('several-a', {}, labels), 'create'),
        kubectl.pipe(configMap('several-b', {}, labels), 'create'),
      ])
      const lines = await described('cm -l set=several')
      expect(lines.filter((line) => line.startsWith('Name:'))).toEqual(['Name: several-a', 'Name: several-b'])
      expect(await kubectl.run('describe cm nothing')).toEqual(
        refused('Error from server (NotFound): configmaps "nothing" not found'),
      )
    })
  })

  describe('events', () => {
    /** An event about a ConfigMap, as a controller would write it. */
    function eventAbout(name: string, members: object): object {
      const now = `${new Date().toISOString().slice(0, 19)}Z`
      return {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: `${name}.1`, namespace: 'default' },
        involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'default' },
        source: { component: 'tester' },
        firstTimestamp: now,
        lastTimestamp: now,
        count: 3,
        ...members,
      }
    }

    it('are listed in both groups', async () => {
      await kubectl.pipe(eventAbout('listed', { type: 'Warning', reason: 'Broken', message: 'It broke.' }), 'create')
      const selected = '--field-selector involvedObject.name=listed'
      const [plain, wide, grouped] = await Promise.all([
        kubectl.run(`get events ${selected}`),
        kubectl.run(`get events -o wide ${selected}`),
        kubectl.run('get events.events.k8s.io -o name'),
      ])
      expect(cellsOf(plain.stdout)).toEqual([
        ['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'],
        ['<age>', 'Warning', 'Broken', 'configmap/listed', 'It broke.'],
      ])
      const [header, row] = cellsOf(wide.stdout)
      expect([header?.slice(4), row?.slice(4)]).toEqual([
        ['SUBOBJECT', 'SOURCE', 'MESSAGE', 'FIRST SEEN', 'COUNT', 'NAME'],
        ['', 'tester', 'It broke.', '<age>', '3', 'listed.1'],
      ])
      expect(grouped.stdout.split('\n')).toContain('event.events.k8s.io/listed.1')
    })

    it('appear in the description of their object', async () => {
      await kubectl.run('create configmap told')
      const { stdout: uid } = await kubectl.run('get cm told', '-o', 'jsonpath={.metadata.uid}')
      const involvedObject = { apiVersion: 'v1', kind: 'ConfigMap', name: 'told', namespace: 'default', uid }
      await kubectl.pipe(
        eventAbout('told', { involvedObject, type: 'Normal', reason: 'Told', message: 'It is so.' }),
        'create',
      )
      const { stdout } = await kubectl.run('describe cm told')
      expect(stdout).toMatch(/Normal +Told +.*tester +It is so\.\n/)
    })

    kubectl.since(26, 'the command events')('have a command of their own', async () => {
      await kubectl.pipe(eventAbout('asked', { type: 'Normal', reason: 'Asked', message: 'It was.' }), 'create')
      const [about, none] = await Promise.all([
        kubectl.run('events --for cm/asked'),
        kubectl.run('events --types=Warning -n kube-system'),
      ])
      expect(cellsOf(about.stdout).map((row) => row.slice(1))).toEqual([
        ['TYPE', 'REASON', 'OBJECT', 'MESSAGE'],
        ['Normal', 'Asked', 'ConfigMap/asked', 'It was.'],
      ])
      expect(none.stdout + none.stderr).toBe('No events found in kube-system namespace.\n')
    })
  })

  describe('nodes', () => {
    it('are cordoned and uncordoned', async () => {
      await kubectl.pipe(node('cordoned'), 'create')
      const status = async () => cellsOf((await kubectl.run('get node cordoned')).stdout)[1]?.[1]
      expect(await kubectl.run('cordon cordoned')).toEqual(printed('node/cordoned cordoned'))
      expect(await kubectl.run('cordon cordoned')).toEqual(printed('node/cordoned already cordoned'))
      expect(await status()).toBe('Unknown,SchedulingDisabled')
      expect(await kubectl.run('uncordon cordoned')).toEqual(printed('node/cordoned uncordoned'))
      expect(await status()).toBe('Unknown')
    })

    it('are tainted', async () => {
      await kubectl.pipe(node('tainted'), 'create')
      const taint = (words: string) => kubectl.run(`taint node tainted ${words}`)
      const taints = async () => (await kubectl.run('get node tainted', '-o', 'jsonpath={.spec.taints}')).stdout
      expect(await taint('key=a:NoSchedule')).toEqual(printed('node/tainted tainted'))
      expect(await taint('key=a:NoSchedule')).toEqual(
        refused('error: node tainted already has key taint(s) with same effect(s) and --overwrite is false'),
      )
      expect(await taint('key=b:NoSchedule --overwrite')).toEqual(printed('node/tainted modified'))
      const fromStart = { effect: 'NoSchedule', key: 'node.kubernetes.io/not-ready' }
      expect(JSON.parse(await taints())).toEqual([{ effect: 'NoSchedule', key: 'key', value: 'b' }, fromStart])
      expect(await taint('key:NoSchedule-')).toEqual(printed('node/tainted untainted'))
      expect(JSON.parse(await taints())).toEqual([fromStart])
    })

    it('show the report of a kubelet', async () => {
      const reported = {
        ...node('reported', { labels: { 'node-role.kubernetes.io/worker': '' } }),
        status: {
          conditions: [{ type: 'Ready', status: 'True' }],
          addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
          nodeInfo: {
            kubeletVersion: 'v1.32.4',
            osImage: 'Debian',
            kernelVersion: '6.1',
            containerRuntimeVersion: 'containerd://2',
          },
        },
      }
      await kubectl.pipe(reported, 'create --validate=false')
      const { stdout } = await kubectl.run('get node reported -o wide')
      expect(cellsOf(stdout)).toEqual([
        [
          'NAME',
          'STATUS',
          'ROLES',
          'AGE',
          'VERSION',
          'INTERNAL-IP',
          'EXTERNAL-IP',
          'OS-IMAGE',
          'KERNEL-VERSION',
          'CONTAINER-RUNTIME',
        ],
        ['reported', 'Ready', 'worker', '<age>', 'v1.32.4', '10.0.0.7', '<none>', 'Debian', '6.1', 'containerd://2'],
      ])
    })
  })
})
