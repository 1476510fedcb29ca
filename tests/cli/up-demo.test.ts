import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { eventually } from '../support/eventually.ts'
import { run, tenantIn } from '../support/programs/command.ts'
import { type Finished, type TenantProcess, tenant as tenantProcess } from './tenant-process.ts'

const home = mkdtempSync(join(tmpdir(), 'tenant-up-demo-'))
const data = join(home, '.tenant/data')
const patienceMs = 240_000
const [newest] = findKubectls()
const tenant = tenantIn(home)
let up: TenantProcess

function kubectl(context: string, words: string, ...verbatim: readonly string[]): Promise<string> {
  if (newest === undefined) throw new Error('there is no kubectl: tests/support/fetch-kubectl gets one')
  const args = ['--kubeconfig', join(data, 'kubeconfig'), '--context', context, ...words.split(' '), ...verbatim]
  return run(newest.command, args, { env: { PATH: process.env.PATH, HOME: home } })
}

async function start(): Promise<void> {
  up = tenantProcess('up', '--port', '0', '--data-dir', data)
  await up.line('ready')
  const { platform } = JSON.parse(readFileSync(join(data, 'up.json'), 'utf8'))
  const login = ['platform', 'login', platform.url, '--ca', platform.caFile, '--access-key-stdin']
  await tenant(login, readFileSync(platform.adminKeyFile, 'utf8'))
}

/** As Ctrl-C does. */
function interrupt(): Promise<Finished> {
  up.child.kill('SIGINT')
  return up.finished
}

beforeAll(start)
afterAll(async () => {
  up?.child.kill('SIGKILL')
  await up?.finished
  rmSync(home, { recursive: true, force: true })
})

async function expectDemo(): Promise<void> {
  const name = (await tenant(['translate', 'hello', '-o', 'name'])).trim()
  expect(name).toMatch(/^v-hello-/)
  const copy = JSON.parse(await kubectl('host', `get endpoints ${name} -n tenant-demo -o json`))
  expect(copy).toMatchObject({
    metadata: { annotations: { 'example.com/region': 'host-eu-1', 'tenant.internal/object-name': 'hello' } },
    subsets: [{ addresses: [{ ip: '192.0.2.10' }, { ip: '192.0.2.11' }] }],
  })
  const [inside, outside] = await Promise.all([
    kubectl('tenant_demo', 'get service hello -o jsonpath={.spec.clusterIP}'),
    kubectl('host', `get service ${name} -n tenant-demo -o jsonpath={.spec.clusterIP}`),
  ])
  expect(inside).toBe(outside)
  expect(await tenant(['list'])).toMatch(/^demo +default +Online/m)
}

describe('tenant up with its demo', () => {
  it('has a working kubectl context for everything that it runs', async () => {
    const { contexts } = JSON.parse(readFileSync(join(data, 'up.json'), 'utf8'))
    expect(contexts).toEqual({ platform: 'platform', host: 'host', tenants: { demo: 'tenant_demo' } })
    expect(await kubectl('platform', 'get virtualclusterinstances -n p-default -o name')).toContain('/demo\n')
    expect(await kubectl('host', 'get namespace tenant-demo -o name')).toBe('namespace/tenant-demo\n')
    expect(await kubectl('tenant_demo', 'get service hello -o name')).toBe('service/hello\n')
  })

  it('has synced a Service and its Endpoints, with the patched annotation', () => expectDemo())

  it('runs workloads of a virtual cluster on the node of its host', async () => {
    const pod = (path: string) => kubectl('tenant_demo', `get pods -l app=web -o jsonpath={.items[*].${path}}`)
    await kubectl('tenant_demo', 'create deployment web --image=app:1')
    await kubectl('tenant_demo', 'expose deployment web --port=80')
    await kubectl('tenant_demo', 'wait --for=condition=Available deployment/web --timeout=120s')
    expect(await pod('spec.nodeName')).toBe('simulated')
    const address = await pod('status.podIP')
    const name = (await tenant(['translate', 'web', '-o', 'name'])).trim()
    await eventually(async () => {
      expect(await kubectl('host', `get endpoints ${name} -n tenant-demo -o jsonpath={.subsets}`)).toContain(address)
      expect(await kubectl('tenant_demo', 'get endpoints web -o jsonpath={.subsets}')).toContain(address)
    }, patienceMs)
    await kubectl('tenant_demo', 'delete deployment/web service/web')
    await eventually(async () => expect(await kubectl('host', 'get pods -n tenant-demo -o name')).toBe(''), patienceMs)
  })

  it('calls no webhook at an address assigned by its host, which may be another machine of the local network', async () => {
    const file = join(home, 'webhook.json')
    const metadata = { name: 'inner', namespace: 'default' }
    const clientConfig = { service: { name: 'inner', namespace: 'default', port: 443 } }
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]
    const webhook = { admissionReviewVersions: ['v1'], sideEffects: 'None', timeoutSeconds: 1, clientConfig, rules }
    const items = [
      { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 443 }] } },
      {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata,
        subsets: [{ addresses: [{ ip: '10.200.0.7' }], ports: [{ port: 443 }] }],
      },
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'inner' },
        webhooks: [{ name: 'inner.example.com', ...webhook }],
      },
    ]
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
    await kubectl('tenant_demo', `apply -f ${file}`)
    await eventually(async () => {
      expect(await kubectl('tenant_demo', 'get service inner -o jsonpath={.spec.clusterIP}')).toMatch(/^10\./)
      const refused = await kubectl('tenant_demo', 'create configmap asked').catch(String)
      expect(refused).toContain('Service default/inner has an address at which no webhook is asked')
    })
    await kubectl('tenant_demo', `delete --ignore-not-found -f ${file}`)
  })

  it('applies a changed configuration without a restart', async () => {
    const instance = 'virtualclusterinstance demo -n p-default'
    const before = await kubectl('platform', `get ${instance} -o jsonpath={.spec.config}`)
    const region = async () =>
      kubectl('host', 'get endpoints -n tenant-demo -o jsonpath={.items[*].metadata.annotations.example\\.com/region}')
    const configure = (text: string) => {
      writeFileSync(join(home, 'demo.yaml'), text)
      return tenant(['create', '--upgrade', 'demo', '-n', 'tenant-demo', '-f', join(home, 'demo.yaml')])
    }
    await configure('policies: {sync: {annotations: {allowed: [example.com/]}}}\n')
    await eventually(async () => expect(await region()).toBe('eu-1'), patienceMs)
    await configure(before)
    await eventually(async () => expect(await region()).toBe('host-eu-1'), patienceMs)
  })

  it('knows the addresses of its host, and syncs no Endpoints with them', async () => {
    const api = await kubectl('host', 'get service kubernetes -o jsonpath={.spec.clusterIP}')
    const neighbor = api.replace(/\d+$/, '77')
    const subsets = [{ addresses: [api, neighbor, '198.51.100.7'].map((ip) => ({ ip })), ports: [{ port: 443 }] }]
    const object = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'astray' }, subsets }
    writeFileSync(join(home, 'astray.json'), JSON.stringify(object))
    await kubectl('tenant_demo', `create -f ${join(home, 'astray.json')}`)
    const name = (await tenant(['translate', 'astray', '-o', 'name'])).trim()
    await eventually(async () => {
      const copy = JSON.parse(await kubectl('host', `get endpoints ${name} -n tenant-demo -o json`))
      expect(copy.subsets).toMatchObject([{ addresses: [{ ip: '198.51.100.7' }] }])
      expect(copy.subsets[0].addresses).toHaveLength(1)
    }, patienceMs)
  })

  it('has a node on which a Deployment becomes ready although nothing runs there', async () => {
    await kubectl('tenant_demo', 'create deployment shop --image=nginx --replicas=2')
    await kubectl('tenant_demo', 'rollout status deployment/shop --timeout=120s')
    const where = 'jsonpath={range .items[*]}{.status.phase} {.spec.nodeName} {.status.podIP}{"\\n"}{end}'
    const inside = (await kubectl('tenant_demo', 'get pods -l app=shop', '-o', where)).trim().split('\n')
    const outside = (await kubectl('host', 'get pods -n tenant-demo', '-o', where)).trim().split('\n')
    expect(inside).toEqual([1, 2].map(() => expect.stringMatching(/^Running simulated 10\.244\.0\.\d+$/)))
    expect(outside.toSorted()).toEqual(inside.toSorted())
    expect(await kubectl('tenant_demo', 'logs deployment/shop')).toMatch(/^Nothing runs on the node simulated/)
  })

  it('places Pods that were created during a cordon of the tenant when it ends', async () => {
    await kubectl('tenant_demo', 'run early --image=nginx')
    await kubectl('tenant_demo', 'wait pod/early --for=condition=Ready --timeout=120s')
    await kubectl('tenant_demo', 'cordon simulated')
    await kubectl('tenant_demo', 'run late --image=nginx')
    await kubectl('tenant_demo', 'wait pod/late --for=condition=PodScheduled=false --timeout=120s')
    await kubectl('tenant_demo', 'uncordon simulated')
    await kubectl('tenant_demo', 'wait pod/late --for=condition=Ready --timeout=120s')
  })

  it('stops cleanly on Ctrl-C, and finds its data at the next start', async () => {
    const { platform } = JSON.parse(readFileSync(join(data, 'up.json'), 'utf8'))
    await kubectl('tenant_demo', 'create configmap kept --from-literal=color=blue')
    expect(await interrupt()).toMatchObject({ code: 0, stderr: '' })
    await start()
    const { platform: after } = JSON.parse(readFileSync(join(data, 'up.json'), 'utf8'))
    expect(after.url).not.toBe(platform.url)
    await expectDemo()
    expect(await kubectl('tenant_demo', 'get configmap kept -o jsonpath={.data.color}')).toBe('blue')
  })
})

describe('a virtual cluster that a user creates on it', () => {
  const keys = async () => JSON.parse(await tenant(['platform', 'keys', 'list', '-o', 'json'])).items.length
  let before: number

  it('can be used at once, in its own namespace', async () => {
    before = await keys()
    await tenant(['create', 'web', '-n', 'team-web'])
    expect(await kubectl('tenant_web', 'create service clusterip shop --tcp=80')).toContain('service/shop created')
    await eventually(async () => {
      expect(await kubectl('host', 'get services -n team-web -o name')).toContain('service/v-shop-')
    }, patienceMs)
    expect(await keys()).toBe(before + 1)
    expect(existsSync(join(data, 'tenants/p-default/web'))).toBe(true)
  })

  it('is refused with an invalid tenant.yaml, with the position of the error', async () => {
    writeFileSync(join(home, 'wrong.yaml'), 'sync:\n  toHost:\n    endpoint:\n      enabled: true\n')
    await expect(tenant(['create', 'wrong', '-f', join(home, 'wrong.yaml')])).rejects.toThrow(
      /ended with 1: [\s\S]*wrong\.yaml:3:5[\s\S]*endpoints/,
    )
    expect(await tenant(['list'])).not.toContain('wrong')
  })

  it('is gone after delete, with its namespace, its key and its data', async () => {
    await tenant(['delete', 'web', '-n', 'team-web', '--yes'])
    expect(await tenant(['list'])).not.toContain('web')
    await eventually(async () => {
      await expect(kubectl('host', 'get namespace team-web')).rejects.toThrow('not found')
      expect(await keys()).toBe(before)
      expect(existsSync(join(data, 'tenants/p-default/web'))).toBe(false)
    }, patienceMs)
  })

  it('may be the demo, which is not created again after its deletion', async () => {
    await tenant(['delete', 'demo', '-n', 'tenant-demo', '--yes'])
    expect(await interrupt()).toMatchObject({ code: 0, stderr: '' })
    await start()
    expect(JSON.parse(readFileSync(join(data, 'up.json'), 'utf8')).contexts.tenants).toEqual({})
    await eventually(async () => {
      await expect(kubectl('host', 'get namespace tenant-demo')).rejects.toThrow('not found')
    }, patienceMs)
  })
})
