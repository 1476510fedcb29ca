import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { type TenantProcess, tenant } from './tenant-process.ts'

const directory = mkdtempSync(join(tmpdir(), 'tenant-apiserver-'))
const data = join(directory, 'data')
const kubeconfig = join(data, 'kubeconfig')
const users = join(directory, 'users.csv')
let port = ''
let running: TenantProcess

const start = (...more: readonly string[]) =>
  tenant('apiserver', '--data-dir', data, '--port', port, '--token-auth-file', users, ...more)

beforeAll(async () => {
  writeFileSync(users, 'ann-token,ann,1,"dev,ops"\nroot-token,root,2,"dev,system:masters"\n')
  port = String(await freePort())
  running = start('--service-cluster-ip-range', '10.7.0.0/24')
  await running.line('ready')
}, 240_000)

afterAll(async () => {
  running.child.kill('SIGKILL')
  await running.finished
  rmSync(directory, { recursive: true, force: true })
})

/** The output of kubectl, on stdout and stderr. */
function kubectlAs(token: string | undefined, ...args: readonly string[]): Promise<string> {
  const [kubectl] = findKubectls()
  const as = token === undefined ? [] : ['--token', token]
  const all = ['--kubeconfig', kubeconfig, '--cache-dir', join(directory, 'cache'), ...as, ...args]
  return new Promise((resolve) => {
    execFile(kubectl?.command ?? 'kubectl', all, (_, stdout, stderr) => resolve(`${stdout}${stderr}`))
  })
}

const kubectl = (...args: readonly string[]) => kubectlAs(undefined, ...args)

describe('tenant apiserver', () => {
  it('writes a kubeconfig for its user alone, with which kubectl does everything', async () => {
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600)
    expect(await kubectl('create', 'configmap', 'kept', '--from-literal=a=1')).toBe('configmap/kept created\n')
    expect(await kubectl('auth', 'can-i', '*', '*')).toBe('yes\n')
  })

  it('serves metrics of its controllers', async () => {
    await eventually(async () => {
      const metrics = await kubectl('get', '--raw', '/metrics')
      expect(metrics).toMatch(
        /^controller_runtime_reconcile_total\{controller="namespace-defaults",result="success"\} [1-9]/m,
      )
      expect(metrics).toMatch(/^workqueue_depth\{name="deployment-controller"\} 0$/m)
    })
  })

  it('knows the users of the token file, and the group system:masters', async () => {
    expect(await kubectlAs('ann-token', 'get', 'configmaps')).toContain('User "ann" cannot list resource "configmaps"')
    expect(await kubectlAs('root-token', 'get', 'configmaps', '-o', 'name')).toContain('configmap/kept\n')
    await kubectl('create', 'clusterrolebinding', 'ops', '--clusterrole=view', '--group=ops')
    expect(await kubectlAs('ann-token', 'auth', 'can-i', 'list', 'configmaps')).toBe('yes\n')
    expect(await kubectlAs('ann-token', 'auth', 'can-i', 'create', 'configmaps')).toMatch(/^no/)
    expect(await kubectlAs('unknown-token', 'get', 'configmaps')).toMatch(/Unauthorized|must be logged in/)
  })

  it('assigns cluster IPs from its range', async () => {
    await kubectl('create', 'service', 'clusterip', 'web', '--tcp=80')
    expect(await kubectl('get', 'service', 'web', 'kubernetes', '-o', 'jsonpath={.items[*].spec.clusterIP}')).toMatch(
      /^10\.7\.0\.\d+ 10\.7\.0\.1$/,
    )
  })

  it('locks its directory against a second process, and names the first', async () => {
    const { code, stderr } = await start('--port', '0').finished
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`process ${running.child.pid}`) })
  })

  it('reports that the port is in use', async () => {
    const { code, stderr } = await tenant('apiserver', '--data-dir', join(directory, 'other'), '--port', port).finished
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`port ${port} is in use`) })
  })

  it('keeps all acknowledged writes and a private kubeconfig after kill -9', async () => {
    running.child.kill('SIGKILL')
    await running.finished
    chmodSync(kubeconfig, 0o644)
    running = start('--service-cluster-ip-range', '10.7.0.0/24')
    await running.line('ready')
    expect(await kubectl('get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}')).toBe('1')
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600)
  })

  it('exits with 0 on SIGTERM', async () => {
    running.child.kill('SIGTERM')
    expect(await running.finished).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('tenant apiserver, used wrongly', () => {
  const badQuote = join(directory, 'quote.csv')
  const short = join(directory, 'short.csv')
  const to = ['--data-dir', join(directory, 'never')]

  beforeAll(() => {
    writeFileSync(badQuote, 'a,b,c\nvery-secret,"b\n')
    writeFileSync(short, 'very-secret,ann\n')
  })

  it.each([
    [[], 2, '--data-dir <dir> is missing: where objects, certificates and the kubeconfig are kept'],
    [[...to, '--port', '65536'], 2, 'A port is a whole number from 0 to 65535.'],
    [[...to, '--controllers', 'some'], 2, 'Allowed choices are all, none.'],
    [[...to, '--service-cluster-ip-range', '10.0.0.0/30'], 2, 'is not an IPv4 block from /8 to /28'],
    [[...to, '--service-cluster-ip-range', 'fd00::/108'], 2, 'is not an IPv4 block from /8 to /28'],
    [
      [...to, '--token-auth-file', badQuote],
      2,
      'quote.csv, line 2, column 13: the quote that opens here is not closed',
    ],
    [[...to, '--token-auth-file', short], 2, 'short.csv, line 1: it has 2 of at least 3 columns'],
    [[...to, '--token-auth-file', join(directory, 'none')], 1, 'there is no such file'],
    [
      [...to, '--admission-control-config-file', join(directory, 'none')],
      2,
      'the configuration of admission cannot be used: ',
    ],
    [['--data-dir', join(users, 'below-a-file')], 1, 'choose a directory that can be written'],
    [['--data-dir', '/proc/tenant'], 1, 'choose a directory that can be written'],
  ])('%j', async (args, exitCode, message) => {
    let stderr = ''
    const terminal = {
      stdout: { write: () => {} },
      stderr: { write: (text: string) => (stderr += text) },
      env: {},
    }
    expect(await runCli(['apiserver', ...args], terminal)).toBe(exitCode)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('very-secret')
  })
})
