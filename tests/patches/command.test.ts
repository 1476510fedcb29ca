import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostName } from '../../src/sync/names/host-name.ts'
import { runWatchedCli } from '../support/canary/watched-cli.ts'

interface Run {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

async function tenant(args: readonly string[], { onTerminal = false, input = '' } = {}): Promise<Run> {
  let stdout = ''
  let stderr = ''
  const exitCode = await runWatchedCli(args, {
    stdout: { write: (text) => (stdout += text), isTTY: onTerminal },
    stderr: { write: (text) => (stderr += text), isTTY: onTerminal },
    stdin: (async function* () {
      yield input
    })(),
    env: {},
  })
  return { exitCode, stdout, stderr }
}

const configuration = `sync:
  toHost:
    endpoints:
      patches:
        - path: metadata.annotations[*]
          expression: '"p-" + value'
          reverseExpression: value.slice(2)
        - path: subsets[*].addresses[*].hostname
          expression: value.toUpperCase()
        - path: spec.missing
          expression: value
        - path: metadata.annotations["example.com/secret"]
          reference: { apiVersion: v1, kind: Secret }
    configMaps:
      patches:
        - path: data[*]
          expression: '"p-" + value'
          reverseExpression: value.slice(1)
    services:
      patches:
        - path: spec.ports[*].name
          expression: value.no.such
    customResources:
      widgets.example.com:
        enabled: true
        patches:
          - path: spec.host
            expression: virtualToHostDNS(value)
  fromHost:
    secrets:
      enabled: true
      mappings: { byName: { shared/ca: default/ca } }
      patches:
        - path: data.ca
          reverseExpression: btoa("from " + context.vcluster.name)
`

const endpoints = `apiVersion: v1
kind: Endpoints
metadata:
  name: web
  namespace: default
  uid: abc
  annotations:
    example.com/secret: db
    note: hello
subsets:
- addresses:
  - ip: 10.0.0.1
    hostname: one
`

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'patch-test-'))
  const files = {
    'tenant.yaml': configuration,
    'web.yaml': endpoints,
    'config-map.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"key":"value"}}',
    'service.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{name: http, port: 80}]}\n',
    'widget.yaml': 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {host: web.default.svc}\n',
    'secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: ca}\ndata: {ca: eA==}\n',
    'astray.yaml': endpoints.replace('10.0.0.1', '169.254.169.254').replace('note: hello', 'cilium.io/x: host'),
    'broken.yaml': 'sync: {toHost: {endpoints: {patches: [{path: "a[", expression: value}]}}}\n',
    'nothing.yaml': 'a: 1\n',
    'mapped.yaml': `sync: {toHost: {namespaces: {enabled: true, mappings: {byName: {"team-*": "\${name}-team-*", team-x: shared}}}}}\n`,
  }
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(directory, name), text)))
})
afterAll(() => rm(directory, { recursive: true }))

function patchTest(resource: string, object: string, ...more: readonly string[]): readonly string[] {
  const file = join(directory, 'tenant.yaml')
  return ['patch', 'test', '-f', file, '--resource', resource, '--object', join(directory, object), ...more]
}

describe('tenant patch test', () => {
  it('shows both directions, counters, references and verdicts', async () => {
    const { exitCode, stdout, stderr } = await tenant(patchTest('endpoints', 'web.yaml'))
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/^- {4}note: hello\n.*\n\+ {4}note: p-hello\n/m)
    expect(stdout).toMatch(/^- {4}note: p-hello\n.*\n\+ {4}note: hello\n/m)
    expect(stdout).toContain('-  - hostname: one\n+  - hostname: ONE\n')
    expect(stdout).toMatch(/^2 +spec\.missing +0 +0 +1 +0$/m)
    expect(stdout).toMatch(/^v1 Secret +default\/p-db +tenant-demo\/v-p-db-[a-z0-9]{13} +at metadata/m)
    expect(stdout).toMatch(/^0 +metadata\.annotations\[\*\] +cancels out \(\d+ sample values\)$/m)
    expect(stdout).toMatch(/^1 +subsets.* +not checked: there is no reverseExpression$/m)
  })

  it('has colors only on a terminal', async () => {
    expect((await tenant(patchTest('endpoints', 'web.yaml'))).stdout).not.toContain('\u001b[')
    expect((await tenant(patchTest('endpoints', 'web.yaml'), { onTerminal: true })).stdout).toContain(
      '\u001b[32m+    note: p-hello\u001b[39m',
    )
  })

  it('prints the same as JSON', async () => {
    const { exitCode, stdout } = await tenant(patchTest('endpoints', 'web.yaml', '-o', 'json'))
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      field: 'sync.toHost.endpoints',
      toHost: {
        state: 'applied',
        before: { metadata: { name: expect.stringMatching(/^v-web-/), namespace: 'tenant-demo' } },
        after: { metadata: { annotations: { note: 'p-hello' } } },
        patches: [
          { index: 0, path: 'metadata.annotations[*]', matched: 2, changed: 2, notFound: 0, failed: 0 },
          { matched: 1, changed: 1 },
          { matched: 0, notFound: 1 },
          { matched: 1, changed: 1 },
        ],
        references: [{ kind: 'Secret', name: 'p-db', namespace: 'default' }],
      },
      toVirtual: {
        state: 'applied',
        before: { metadata: { name: 'web', namespace: 'default' } },
        after: { metadata: { annotations: { note: 'hello', 'example.com/secret': 'db' } } },
      },
      roundTrip: [{ verdict: 'cancels' }, { verdict: 'not-checkable' }, {}, {}],
    })
  })

  it('runs after the policy, and shows what it refuses', async () => {
    const { stdout, stderr } = await tenant(patchTest('endpoints', 'astray.yaml'))
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^Not carried to the host by the policy\n/m)
    expect(stdout).toMatch(/^metadata.annotations\["cilium.io\/x"\] +it is not among/m)
    const json = JSON.parse((await tenant(patchTest('endpoints', 'astray.yaml', '-o', 'json'))).stdout)
    expect(json).toMatchObject({ policy: { held: false, refused: [{}, { field: 'subsets[0].addresses[0].ip' }] } })
    expect(json.toHost.after.metadata.annotations).toEqual({ 'example.com/secret': expect.any(String) })
    expect(json.toHost.after.subsets).toEqual([])
  })

  it('omits fields of the server', async () => {
    expect((await tenant(patchTest('endpoints', 'web.yaml', '-o', 'json'))).stdout).not.toContain('"uid"')
  })

  it('uses a given object on the host', async () => {
    const host = endpoints.replace('note: hello', 'note: p-changed on the host')
    const args = patchTest('endpoints', 'web.yaml', '--host-object', '-', '-o', 'json')
    expect(JSON.parse((await tenant(args, { input: host })).stdout)).toMatchObject({
      toVirtual: { after: { metadata: { annotations: { note: 'changed on the host' } } } },
    })
  })

  it('fails for a pair that does not cancel out, with a counterexample', async () => {
    const { exitCode, stdout, stderr } = await tenant(patchTest('configmaps', 'config-map.json'))
    expect(exitCode).toBe(1)
    expect(stdout).toContain('does not cancel out: "value" is "p-value" on the host, and comes back as "-value"')
    expect(stderr).toBe('error: a pair of expressions does not cancel out\n')
  })

  it('fails for a failing patch, with its position', async () => {
    const { exitCode, stdout } = await tenant(patchTest('services', 'service.yaml'))
    expect(exitCode).toBe(1)
    expect(stdout).toContain('patch 0 (spec.ports[*].name at spec.ports[0].name) failed: ')
    expect(stdout).toContain('  in value.no.such\n')
  })

  it('supports custom resources, names of the tenant, and imports', async () => {
    const widget = patchTest('widgets.example.com', 'widget.yaml', '--tenant', 'blue', '--host-namespace', 'ns-blue')
    expect((await tenant([...widget, '-o', 'json'])).stdout).toMatch(
      /"host": "v-web-[a-z0-9]{13}\.ns-blue\.svc\.cluster\.local"/,
    )
    const secret = await tenant(patchTest('secrets', 'secret.yaml', '--from-host', '--tenant', 'blue', '-o', 'json'))
    const ca = Buffer.from('from blue').toString('base64')
    expect(JSON.parse(secret.stdout)).toMatchObject({
      toHost: { after: { data: { ca: 'eA==' } } },
      toVirtual: { after: { data: { ca } } },
    })
  })

  it.each([
    [['--resource', 'endpoint'], 2, 'sync.toHost has no "endpoint"; did you mean endpoints?'],
    [['--resource', 'xyz'], 2, 'known are endpoints, services,'],
    [['--object', 'no-such-file'], 1, 'cannot read no-such-file: there is no such file'],
    [['--host-object', '-', '--object', '-'], 2, 'only one file can be standard input'],
    [['-o', 'yaml'], 2, "option '-o, --output <format>' argument 'yaml' is invalid"],
  ])('%j is refused', async (more, exitCode, message) => {
    const run = await tenant(patchTest('endpoints', 'web.yaml', ...more))
    expect(run.exitCode).toBe(exitCode)
    expect(run.stderr).toContain(message)
    expect(run.stdout).toBe('')
  })

  it('shows errors of a configuration or an object', async () => {
    const broken = await tenant(patchTest('endpoints', 'web.yaml', '-f', join(directory, 'broken.yaml')))
    expect(broken.exitCode).toBe(1)
    expect(broken.stderr).toContain('expected ] for the [')
    const object = await tenant(patchTest('endpoints', 'nothing.yaml'))
    expect(object.exitCode).toBe(1)
    expect(object.stderr).toContain('is not a Kubernetes object')
  })

  it('explains itself with examples', async () => {
    const { exitCode, stdout } = await tenant(['patch', 'test', '--help'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Examples:')
  })
})

describe('tenant translate', () => {
  const onHost = hostName({ hostNamespace: 'tenants', tenant: 'demo', namespace: 'default', name: 'web' })

  it('prints the name on the host', async () => {
    const args = ['translate', 'web', '-n', 'default', '--tenant', 'demo', '--host-namespace', 'tenants']
    expect((await tenant([...args, '-o', 'name'])).stdout).toBe(`${onHost}\n`)
    expect(JSON.parse((await tenant([...args, '-o', 'json'])).stdout)).toEqual({
      tenant: 'demo',
      virtual: { namespace: 'default', name: 'web' },
      host: { namespace: 'tenants', name: onHost },
      service: {
        virtual: 'web.default.svc.cluster.local',
        host: `${onHost}.tenants.svc.cluster.local`,
      },
    })
    expect((await tenant(args)).stdout).toContain(`tenants/${onHost}\n`)
  })

  it('assumes the namespace of tenant create by default', async () => {
    const name = hostName({ hostNamespace: 'tenant-red', tenant: 'red', namespace: 'default', name: 'web' })
    expect((await tenant(['translate', 'web', '--tenant', 'red'])).stdout).toContain(`tenant-red/${name}\n`)
  })

  it.each([
    ['team-a', 'demo-team-a/web'],
    ['team-x', 'shared/web'],
  ])('keeps names if namespaces are mapped: %s', async (namespace, host) => {
    const args = ['translate', 'web', '-n', namespace, '-f', join(directory, 'mapped.yaml')]
    expect((await tenant(args)).stdout).toContain(`host           ${host}\n`)
  })

  it('refuses a namespace that is not mapped', async () => {
    const run = await tenant(['translate', 'web', '-n', 'other', '-f', join(directory, 'mapped.yaml')])
    expect(run).toMatchObject({
      exitCode: 1,
      stderr:
        'error: the namespace other is not mapped to a namespace of the host: add it to sync.toHost.namespaces in tenant.yaml\n',
    })
  })

  const marked = `apiVersion: v1
kind: Endpoints
metadata:
  name: ${onHost}
  namespace: tenants
  labels: { tenant.internal/managed-by: demo }
  annotations:
    tenant.internal/object-name: web
    tenant.internal/object-namespace: default
    tenant.internal/host-name: ${onHost}
`

  it('reverses a name from the marks of an object', async () => {
    const { exitCode, stdout } = await tenant(['translate', '--reverse', '-', '-o', 'json'], { input: marked })
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      tenant: 'demo',
      kind: 'Endpoints',
      virtual: { namespace: 'default', name: 'web' },
      host: { namespace: 'tenants', name: onHost },
    })
  })

  it.each([
    ['without marks', marked.replace('object-name: web', 'other: web'), 'it has no tenant.internal/object-name'],
    ['with copied marks', marked.replace(`  name: ${onHost}`, '  name: copy'), `its marks were copied from ${onHost}`],
  ])('refuses an object %s', async (_what, input, message) => {
    const { exitCode, stderr } = await tenant(['translate', '--reverse', '-'], { input })
    expect(exitCode).toBe(1)
    expect(stderr).toContain(message)
  })

  it.each([[['translate']], [['translate', 'web', '--reverse', 'x']]])('%j is wrong usage', async (args) => {
    expect((await tenant(args)).exitCode).toBe(2)
  })
})
