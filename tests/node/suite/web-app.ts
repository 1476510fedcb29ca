import { spawn } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyName } from '../../chaos/names.ts'
import { freePort } from '../../support/network/free-port.ts'
import { pods } from '../../sync/support/objects.ts'
import { soon } from '../../sync/support/soon.ts'
import type { TenantOnNode } from '../support/tenant-on-node.ts'

const image = 'busybox:1'
const patienceMs = 240_000
/** The kubelet of a busy node may begin a container twice. */
const page = /^shop, as admin, [1-9]\d* visit\n$/

/** A typical deployment of a team: all kinds of workloads at once, which refer to each other. */
export function webApp(given: () => TenantOnNode): void {
  describe('a web app', () => {
    let tenant: TenantOnNode

    beforeAll(async () => {
      tenant = given()
      await tenant.inside('create -f -', { apiVersion: 'v1', kind: 'List', items: webAppObjects })
    })

    it('serves the content of its ConfigMap, its Secret and its claim', async () => {
      await tenant.inside('wait --for=condition=Available deployment/web --timeout=180s')
      // The node sends connections to a Service shortly after its Pod is ready.
      await soon(async () => {
        const text = await tenant.inside('exec deployment/web -- wget -q -O - http://web/index.html')
        expect(text).toMatch(page)
      })
      expect(await tenant.inside('get pvc visits -o jsonpath={.status.phase}')).toBe('Bound')
    })

    it('is reachable with kubectl port-forward', async () => {
      const port = await freePort()
      const { kubeconfig } = tenant.syncer
      const words = ['--kubeconfig', kubeconfig, 'port-forward', 'deployment/web', `${port}:8080`]
      const forward = spawn(tenant.node.kubectl, words, { stdio: 'ignore' })
      try {
        await soon(async () => {
          const response = await fetch(`http://127.0.0.1:${port}/index.html`)
          expect(await response.text()).toMatch(page)
        })
      } finally {
        forward.kill()
      }
    })

    it('has Jobs that complete', async () => {
      await tenant.inside('wait --for=condition=Complete job/orders --timeout=180s')
      expect(await tenant.inside('get job orders -o jsonpath={.status.succeeded}')).toBe('2')
    })

    it('has a StatefulSet whose Pods keep their names and their data', async () => {
      await tenant.inside('rollout status statefulset/db --timeout=180s')
      const named = 'nslookup db-1.db.default.svc.cluster.local | grep Address | tail -n 1'
      const before = await podOf('db-1')
      await soon(async () => expect(await shell('db-0', named)).toBe(`Address: ${before.address}\n`))
      expect(await shell('db-1', 'hostname; cat /data/first')).toBe('db-1\ndb-1\n')
      await tenant.inside('delete pod db-1 --wait=false')
      await soon(async () => {
        const now = await podOf('db-1')
        expect(now).toMatchObject({ isReady: true })
        expect(now.uid).not.toBe(before.uid)
        expect(await shell('db-0', named)).toBe(`Address: ${now.address}\n`)
      }, patienceMs)
      const [first, starts] = (await shell('db-1', 'cat /data/first; wc -l < /data/starts')).split('\n')
      expect(first).toBe('db-1')
      expect(Number(starts)).toBeGreaterThanOrEqual(2)
    })

    it('has a DaemonSet with a Pod on the node, which its Service name resolves to', async () => {
      await tenant.inside('rollout status daemonset/agent --timeout=180s')
      const found = await tenant.inside('get daemonset agent -o jsonpath={.status.numberReady}')
      expect(found).toBe('1')
      await soon(async () =>
        expect(await shell('db-0', 'wget -q -O - http://agent.default:8080/node')).toBe('node-host\n'),
      )
    })

    it('has one copy of each of its Pods on the host', async () => {
      // Its CronJob may create another one at any time.
      await soon(async () => {
        const own = await tenant.virtual.list(pods, 'default')
        const copies = await tenant.host.list(pods, tenant.hostNamespace)
        const label = 'tenant.internal/managed-by'
        const ofTenant = copies.filter(({ metadata }) => metadata.labels?.[label] === tenant.name)
        const names = own.map(({ metadata }) => copyName(placeOf(tenant), 'default', metadata.name))
        expect(ofTenant.map(({ metadata }) => metadata.name).sort()).toEqual(names.sort())
      })
    })

    const shell = (pod: string, script: string) => inShell(tenant, pod, script)

    async function podOf(name: string) {
      const { metadata, status } = await tenant.virtual.get(pods, 'default', name)
      const { podIP, conditions } = status as { podIP?: string; conditions?: { type: string; status: string }[] }
      const isReady = conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True')
      return { uid: metadata.uid, address: podIP, isReady }
    }
  })
}

/** Started with everything else, and checked at the end: it may take a minute. */
export function cronJob(given: () => TenantOnNode): void {
  it('a CronJob of the web app has run a Job', async () => {
    await soon(async () => {
      const jobs = JSON.parse(await given().inside('get jobs -o json')).items
      const own = jobs.filter(({ metadata }: { metadata: { name: string } }) => metadata.name.startsWith('report-'))
      expect(own).toMatchObject([{ status: { succeeded: 1 } }, ...own.slice(1)])
    }, patienceMs)
  })
}

/** Runs a script in a Pod, as a single argument. */
export async function inShell({ node, syncer }: TenantOnNode, pod: string, script: string): Promise<string> {
  const { execFile } = await import('node:child_process')
  return new Promise((resolve, reject) => {
    const words = ['--kubeconfig', syncer.kubeconfig, 'exec', pod, '--', 'sh', '-c', script]
    execFile(node.kubectl, words, (error, text) => (error === null ? resolve(text) : reject(error)))
  })
}

export function placeOf({ name, hostNamespace }: TenantOnNode) {
  return { tenant: name, hostNamespace }
}

const server = 'httpd -f -p 8080 -h /tmp'
const untilEnd = (...lines: readonly string[]) => ['sh', '-c', [...lines, `exec ${server}`].join('\n')]
const endsQuickly = { terminationGracePeriodSeconds: 1 }

function container(command: readonly string[], more: object = {}) {
  return { name: 'main', image, command, ...more }
}

function workload(kind: string, name: string, pod: object, more: object = {}) {
  const labels = { app: name }
  const template = { metadata: { labels }, spec: { ...endsQuickly, ...pod } }
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template, ...more },
  }
}

function serviceFor(name: string, spec: object) {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { selector: { app: name }, ...spec } }
}

function claimSpec(storage: string) {
  return { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } }
}

const readiness = { tcpSocket: { port: 8080 }, periodSeconds: 1 }
const once = { restartPolicy: 'Never', ...endsQuickly }

const webAppObjects = [
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'report' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: { template: { spec: { ...once, containers: [container(['true'])] } } } },
    },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' }, data: { title: 'shop' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'account' }, stringData: { user: 'admin' } },
  { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'visits' }, spec: claimSpec('1Mi') },
  workload('Deployment', 'web', {
    containers: [
      container(
        untilEnd(
          'echo visit >> /visits/all',
          'echo "$(cat /page/title), as $USER_NAME, $(wc -l < /visits/all) visit" > /tmp/index.html',
        ),
        {
          env: [{ name: 'USER_NAME', valueFrom: { secretKeyRef: { name: 'account', key: 'user' } } }],
          readinessProbe: readiness,
          volumeMounts: [
            { name: 'page', mountPath: '/page' },
            { name: 'visits', mountPath: '/visits' },
          ],
        },
      ),
    ],
    volumes: [
      { name: 'page', configMap: { name: 'page' } },
      { name: 'visits', persistentVolumeClaim: { claimName: 'visits' } },
    ],
  }),
  serviceFor('web', { ports: [{ port: 80, targetPort: 8080 }] }),
  workload(
    'StatefulSet',
    'db',
    {
      containers: [
        container(untilEnd('[ -e /data/first ] || hostname > /data/first', 'echo start >> /data/starts'), {
          readinessProbe: readiness,
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        }),
      ],
    },
    {
      serviceName: 'db',
      replicas: 2,
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec('1Mi') }],
    },
  ),
  serviceFor('db', { clusterIP: 'None', ports: [{ port: 8080 }] }),
  workload('DaemonSet', 'agent', {
    containers: [
      container(untilEnd('echo $NODE > /tmp/node'), {
        env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
        readinessProbe: readiness,
      }),
    ],
  }),
  serviceFor('agent', { ports: [{ port: 8080 }] }),
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'orders' },
    spec: {
      completions: 2,
      parallelism: 2,
      template: {
        spec: { ...once, containers: [container(['sh', '-c', 'until wget -q -O - http://web; do sleep 0.2; done'])] },
      },
    },
  },
]
